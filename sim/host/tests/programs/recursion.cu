// Device functions that call themselves: quicksort in each thread, a tree, permutations, mutual recursion.
#include <cstdio>

#define CHECK(call)                                                                   \
  do {                                                                                \
    cudaError_t status = (call);                                                      \
    if (status != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

__host__ __device__ void quicksort(int* a, int left, int right) {
  if (left >= right) return;
  int pivot = a[(left + right) / 2], i = left, j = right;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i <= j) {
      int held = a[i];
      a[i++] = a[j];
      a[j--] = held;
    }
  }
  quicksort(a, left, j);
  quicksort(a, i, right);
}

__global__ void sortRows(int* rows, int length) { quicksort(rows + threadIdx.x * length, 0, length - 1); }

struct Node {
  int value;
  Node* left;
  Node* right;
};

__device__ int depth(const Node* node) {
  if (node == nullptr) return 0;
  int left = depth(node->left), right = depth(node->right);
  return 1 + (left > right ? left : right);
}

__device__ int sum(const Node* node) {
  return node == nullptr ? 0 : node->value + sum(node->left) + sum(node->right);
}

__global__ void measure(Node* nodes, int n, int* out) {
  int i = threadIdx.x;
  if (i < n) {
    nodes[i].value = i + 1;
    nodes[i].left = 2 * i + 1 < n ? &nodes[2 * i + 1] : nullptr;
    nodes[i].right = 2 * i + 2 < n ? &nodes[2 * i + 2] : nullptr;
  }
  __syncthreads();
  if (i < n) out[i] = depth(&nodes[i]) * 1000 + sum(&nodes[i]);
}

__device__ int permutations(int* digits, int n, int from) {
  if (from == n) {
    int number = 0;
    for (int i = 0; i < n; ++i) number = number * 10 + digits[i];
    return number % 7 == 0;
  }
  int count = 0;
  for (int i = from; i < n; ++i) {
    int own[6];
    for (int k = 0; k < n; ++k) own[k] = digits[k];
    own[from] = digits[i];
    own[i] = digits[from];
    count += permutations(own, n, from + 1);
  }
  return count;
}

__device__ bool isOdd(unsigned n);
__device__ bool isEven(unsigned n) { return n == 0 ? true : isOdd(n - 1); }
__device__ bool isOdd(unsigned n) { return n == 0 ? false : isEven(n - 1); }

__global__ void count(int* out) {
  int digits[6] = {1, 2, 3, 4, 5, 6};
  int n = threadIdx.x % 6 + 1;
  out[threadIdx.x] = permutations(digits, n, 0) * 2 + isEven(threadIdx.x);
}

int main() {
  const int rows = 4, length = 16;
  int* data;
  CHECK(cudaMallocManaged(&data, rows * length * sizeof(int)));
  for (int i = 0; i < rows * length; ++i) data[i] = i * 37 % 101;
  sortRows<<<1, rows>>>(data, length);
  CHECK(cudaDeviceSynchronize());
  bool isSorted = true;
  for (int i = 0; i < rows * length; ++i) isSorted = isSorted && (i % length == 0 || data[i - 1] <= data[i]);
  printf("%s, row 2 from %d to %d\n", isSorted ? "sorted" : "not sorted", data[2 * length], data[3 * length - 1]);

  const int n = 13;
  Node* nodes;
  int* out;
  CHECK(cudaMalloc(&nodes, n * sizeof(Node)));
  CHECK(cudaMallocManaged(&out, 32 * sizeof(int)));
  measure<<<1, 32>>>(nodes, n, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) printf("%d ", out[i]);
  printf("\n");

  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  count<<<1, 12>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 12; ++i) printf("%d ", out[i]);
  printf("\n");
  CHECK(cudaFree(data));
  CHECK(cudaFree(nodes));
  CHECK(cudaFree(out));
  return 0;
}
