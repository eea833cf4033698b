// --- bytes_of_a_word: a pointer to unsigned char sees a number's bytes, the lowest first
__global__ void k(int* out) {
  unsigned x = 0x01020384;
  unsigned char* p = (unsigned char*)&x;
  signed char* s = (signed char*)&x;
  out[0] = p[0] * 1000 + p[3];
  out[1] = s[0];
  p[1] = 0xff;
  out[2] = x >> 8;
  unsigned long long q = 0;
  unsigned char* b = reinterpret_cast<unsigned char*>(&q);
  for (int i = 0; i < 8; ++i) b[i] = i;
  out[3] = (int)(q >> 32);
}

// --- negative_index: an index keeps its sign, whatever its width
__global__ void k(int* out) {
  int a[6] = {1, 2, 3, 4, 5, 6};
  int* m = a + 3;
  signed char i = -2;
  unsigned char j = 2;
  short s = -1;
  out[0] = m[i] * 100 + m[j] * 10 + m[s];
  unsigned u = 1;
  out[1] = *(m - u);
  long long q = -3;
  out[2] = m[q];
  bool b = true;
  out[3] = m[b] + *(m - b) * 10;
}

// --- differences: differences, comparisons and steps of pointers in elements
__global__ void k(int* out) {
  double d[8];
  double* p = d + 6;
  double* q = &d[1];
  out[0] = (int)(p - q) * 100 + (int)((char*)p - (char*)q);
  p -= 2;
  out[1] = (int)(p - d);
  out[2] = (p > q) * 10 + (p == &d[4]);
  const double* r = d;
  ++r;
  r++;
  int q2 = (int)(r-- - d);
  out[3] = q2 * 10 + (int)(--r - d);
}

// --- const_at_each_level: const on each level of pointers to pointers, in overloads
__device__ int f(const int*) { return 1; }
__device__ int f(int*) { return 2; }
__device__ int g(const int* const*) { return 3; }
__device__ int g(const void*) { return 4; }
__global__ void k(int* out) {
  int x = 5;
  const int y = 6;
  int* p = &x;
  const int* q = &y;
  int** pp = &p;
  *pp = &x;
  **pp = 9;
  out[0] = f(p) * 10 + f(q);
  out[1] = g(&q) * 10 + g(p);
  int* const c = &x;
  *c += 1;
  out[2] = x;
  out[3] = f(c) * 10 + f((const int*)p);
}

// --- pointers_to_arrays: int (*p)[3]: steps by rows, as parameter and as result
__device__ int (*rows(int (*m)[3], int r))[3] { return m + r; }
__device__ int sum(const int (*r)[3]) {
  int s = 0;
  for (int x : *r) s += x;
  return s;
}
__global__ void k(int* out) {
  int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  out[0] = (*rows(m, 1))[2];
  out[1] = sum(m + 1);
  int(*p)[2][3] = &m;
  out[2] = (*p)[1][0] * 100 + sizeof(*p);
  int* q = *m + 4;
  out[3] = *q * 10 + (int)(&m[1] - &m[0]) + (int)((char*)(m + 1) - (char*)m) * 100;
}

// --- conditional_of_base_and_derived: ?: of pointers and objects of a base and a derived class
struct A {
  int a = 1;
};
struct B : A {
  int b = 2;
};
struct M {
  int m = 9;
};
struct C : M, A {
  int c = 3;
};
__global__ void k(int* out) {
  bool t = out[0] == 0;
  A x;
  B y;
  C z;
  A* p = t ? &y : &x;
  out[0] = p->a;
  A* q = t ? (A*)&z : nullptr;
  out[1] = q->a;
  const A& r = t ? y : x;
  out[2] = r.a;
  int* n = t ? nullptr : &x.a;
  out[3] = n == nullptr;
  A* w = &z;
  out[3] += ((void*)w == (void*)&z) * 10;
}

// --- rows_as_parameters: arrays of arrays as parameters, sizes of rows
__device__ int at(int t[2][3]) { return t[1][2]; }
__device__ int through(int (*t)[3], int n) { return t[n][1] + (int)(sizeof(*t) / sizeof(int)); }
__global__ void k(int* out) {
  int m[2][3] = {1, 2, 3, 4, 5, 6};
  out[0] = at(m);
  out[1] = through(m, 1);
}

// --- rows_of_other_pointers: an array seen as rows, references to arrays, aliases of rows
typedef int Row[4];
using Pair = int[2];
__global__ void k(int* out) {
  Row s[2] = {};
  int(*rows)[4] = s;
  rows[1][3] = 5;
  int(*flat)[2] = reinterpret_cast<int(*)[2]>(out);
  flat[1][1] = s[1][3];
  Pair p = {1, 2};
  int(&r)[2] = p;
  r[1] = 8;
  out[0] = p[1];
  const int(*c)[2] = (const int(*)[2])out;
  out[1] = c[1][1] + sizeof(Row);
}

// --- casts_to_references: (float&) and reinterpret_cast<T&> read and write the same bytes
struct Four {
  float x, y, z, w;
};
__global__ void k(int* out) {
  float t[4] = {1, 2, 3, 4};
  reinterpret_cast<Four&>(t[0]).y += 1;
  (int&)t[3] = 0x40A00000;
  Four f = (Four&)t[0];
  out[0] = (int)(f.x * 1000 + f.y * 100 + f.z * 10 + f.w);
  out[1] = (int&)f.x;
}

// --- voids_and_bytes: void* and char* to anything and back
__device__ int sumOf(const void* p, int n) {
  const unsigned char* b = static_cast<const unsigned char*>(p);
  int s = 0;
  for (int i = 0; i < n; ++i) s += b[i];
  return s;
}
__global__ void k(int* out) {
  int x = 0x01020304;
  out[0] = sumOf(&x, 4);
  void* v = &x;
  *(short*)v = 7;
  out[1] = x;
  int* back = (int*)v;
  out[2] = (back == &x) * 10 + (v != nullptr) + !back;
}
