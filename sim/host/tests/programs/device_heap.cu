// Memory that kernels allocate, in one launch, and use and free in others.
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

struct Node {
  int value;
  Node* next;
  __device__ Node(int value, Node* next) : value(value), next(next) {}
};

__device__ Node* lists[4];
__device__ int* arrays[4];

__global__ void allocate() {
  int i = threadIdx.x;
  lists[i] = nullptr;
  for (int k = 0; k <= i; ++k) lists[i] = new Node(k * k, lists[i]);
  arrays[i] = (int*)malloc((i + 1) * sizeof(int));
  for (int k = 0; k <= i; ++k) arrays[i][k] = 10 * k;
}

__global__ void use(int* out) {
  int i = threadIdx.x, sum = 0;
  for (const Node* node = lists[i]; node; node = node->next) sum += node->value;
  out[i] = sum + arrays[3 - i][3 - i];
}

__global__ void release() {
  int i = threadIdx.x;
  while (lists[i]) {
    Node* next = lists[i]->next;
    delete lists[i];
    lists[i] = next;
  }
  free(arrays[i]);
}

__global__ void exhaust(int* out) {
  if (threadIdx.x > 0) return;
  int blocks = 0;
  while (blocks < 64 && malloc(1 << 20) != nullptr) ++blocks;
  *out = blocks >= 3 && blocks < 16;
}

int main() {
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));
  int* out;
  CHECK(cudaMallocManaged(&out, 4 * sizeof(int)));
  allocate<<<1, 4>>>();
  use<<<1, 4>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) printf("%d ", out[i]);
  release<<<1, 4>>>();
  exhaust<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  printf("%d\n", *out);
  CHECK(cudaFree(out));
  return 0;
}
