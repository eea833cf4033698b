// cudaLaunchKernel, kernels by pointer, and launches inside macros and templates.
#include <cstdio>

__global__ void twice(int* p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] *= 2;
}
__global__ void plusOne(int* p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i] += 1;
}

#define RUN(kernel, threads, ...)        \
  do {                                   \
    kernel<<<1, threads>>>(__VA_ARGS__); \
    cudaDeviceSynchronize();             \
  } while (0)

template <typename Kernel, typename... Args>
void launch(Kernel kernel, int threads, Args... args) {
  kernel<<<1, threads>>>(args...);
}

typedef void (*Step)(int*, int);

int main() {
  int h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, n = 8, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  void* arguments[] = {&d, &n};
  cudaError_t e = cudaLaunchKernel((const void*)twice, dim3(1), dim3(32), arguments, 0, 0);
  printf("%s\n", cudaGetErrorString(e));
  Step steps[] = {plusOne, twice};
  for (Step step : steps) step<<<1, 32>>>(d, n);
  RUN(plusOne, 8, d, 4);
  launch(plusOne, 8, d + 4, 4);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int v : h) printf("%d ", v);
  printf("\n");
  int minGrid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, plusOne, 0, 0);
  printf("block: %s\n", block > 0 && block % 32 == 0 ? "a multiple of 32" : "wrong");
  cudaFree(d);
  return 0;
}
