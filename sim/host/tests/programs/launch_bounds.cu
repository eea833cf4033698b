// A launch of more threads than __launch_bounds__ allows fails, and the program continues.
#include <cstdio>

constexpr int kMost = 128;

__global__ void __launch_bounds__(kMost, 2) bounded(int* p) { p[threadIdx.x] = threadIdx.x; }

template <int N>
__global__ __launch_bounds__(2 * N) void twice(int* p) {
  p[threadIdx.x] = N;
}

const char* said() { return cudaGetErrorName(cudaGetLastError()); }

int main() {
  int* p;
  int first = -1;
  cudaMalloc(&p, 1024 * sizeof(int));
  cudaMemset(p, 0, 1024 * sizeof(int));
  bounded<<<1, kMost + 1>>>(p);
  printf("129 of 128: %s\n", said());
  bounded<<<1, dim3(8, 16)>>>(p);
  printf("128 of 128: %s\n", said());
  twice<32><<<1, 96>>>(p);
  printf("96 of 64: %s\n", said());
  cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
  printf("left: %d\n", first);
  twice<64><<<1, 96>>>(p);
  printf("96 of 128: %s\n", said());
  cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
  printf("left: %d\n", first);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, twice<32>);
  printf("most threads: %d\n", attributes.maxThreadsPerBlock);
  cudaFree(p);
}
