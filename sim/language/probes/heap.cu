// --- objects: new and delete run constructors and destructors
struct Counted {
  int* n;
  int v;
  __device__ Counted(int* n, int v) : n(n), v(v) { *n += v; }
  __device__ ~Counted() { *n -= 1; }
};
__global__ void k(int* out) {
  int n = 0;
  Counted* a = new Counted(&n, 5);
  auto* b = new Counted{&n, 7};
  out[0] = n * 100 + a->v * 10 + b->v;
  delete a;
  out[1] = n;
  delete b;
  Counted* none = nullptr;
  delete none;
  out[2] = n;
}

// --- arrays: new T[n], with values, destroyed from the last element to the first
struct Mark {
  int* at;
  int v = 1;
  __device__ ~Mark() {
    if (at != nullptr) *at = *at * 10 + v;
  }
};
__global__ void k(int* out) {
  int seen = 0;
  int* t = new int[3]{1, 2};
  out[0] = t[0] * 100 + t[1] * 10 + t[2];
  delete[] t;
  double* zeros = new double[4]();
  out[1] = zeros[3] == 0;
  delete[] zeros;
  Mark* m = new Mark[3];
  for (int i = 0; i < 3; ++i) {
    m[i].at = &seen;
    m[i].v += i;
  }
  delete[] m;
  out[2] = seen;
  int* z = new int();
  out[3] = *z + *new int(8);
  delete z;
}

// --- list_of_nodes: a list that grows and is released
struct Node {
  int value;
  Node* next;
};
__global__ void k(int* out) {
  Node* head = nullptr;
  for (int i = 0; i < 5; ++i) head = new Node{i * i, head};
  int s = 0;
  while (head != nullptr) {
    Node* next = head->next;
    s = s * 20 + head->value;
    delete head;
    head = next;
  }
  out[0] = s;
}

// --- memory_of_c: malloc, free, memset and memcpy
#include <cstdlib>
#include <cstring>
struct Row {
  short s;
  int i;
};
__global__ void k(int* out) {
  Row* r = (Row*)malloc(3 * sizeof(Row));
  memset(r, 0xff, 3 * sizeof(Row));
  out[0] = r[2].s + r[1].i * 10;
  Row one = {4, 5};
  memcpy(&r[1], &one, sizeof(Row));
  out[1] = r[1].s * 10 + r[1].i;
  out[2] = r[0].i + r[2].i;
  free(r);
  float f = 1.0f;
  unsigned bits;
  memcpy(&bits, &f, sizeof(f));
  out[3] = bits;
}

// --- placement: new (p) T makes an object in memory that is there
#include <new>
struct V {
  int a, b = 4;
  __device__ V(int a) : a(a) {}
};
__global__ void k(int* out) {
  alignas(V) unsigned char room[2 * sizeof(V)];
  V* v = new (room) V(3);
  V* w = new (room + sizeof(V)) V(v->b);
  out[0] = v->a * 1000 + v->b * 100 + w->a * 10 + w->b;
  w->~V();
}
