struct Node { int value; Node* next; __device__ Node(int v, Node* n) : value(v), next(n) {} };
__global__ void heap(int* out, int n) {
  Node* head = nullptr;
  for (int i = 0; i < n && i < 5; ++i) head = new Node(i, head);
  int s = 0;
  while (head) { s += head->value; Node* next = head->next; delete head; head = next; }
  int* a = (int*)malloc(8);
  if (a) { a[1] = s; s = a[1]; free(a); }
  Node* b = new (out + 2) Node(1, nullptr);
  int* c = new int[3]();
  out[threadIdx.x] = s + c[2];
  delete[] c;
}
