// Objects in managed memory that kernels take by reference, and variables named as functions of the C library are.
#include <cstdio>

__device__ unsigned int step = 7;
__device__ int advance[2] = {3, 4};
int error = 5;

struct Tally {
  int count;
  double total;

  void* operator new(size_t bytes) {
    void* memory;
    cudaMallocManaged(&memory, bytes);
    return memory;
  }
  void operator delete(void* memory) { cudaFree(memory); }
  __host__ __device__ void add(double value) {
    ++count;
    total += value;
  }
};

__global__ void tally(Tally& into, const double& first, int n) {
  for (int i = 0; i < n; ++i) into.add(first + i);
}

template <class T>
__global__ void countUp(T& value) {
  atomicAdd(&value, T(1));
  if (threadIdx.x == 0 && blockIdx.x == 0) printf("step %u, advance %d %d\n", step, advance[0], advance[1]);
}

int main() {
  Tally* own = new Tally;
  *own = {};
  double* first;
  cudaMallocManaged(&first, sizeof(double));
  *first = 0.5;
  tally<<<1, 1>>>(*own, *first, 4);
  cudaDeviceSynchronize();
  printf("%d values, %.1f in all\n", own->count, own->total);
  countUp<<<2, 32>>>(own->count);
  cudaDeviceSynchronize();
  printf("%d values, error %d\n", own->count, error);
  cudaFree(first);
  delete own;
  return 0;
}
