// A cooperative launch: two passes with a barrier of the whole grid between them.
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;

__global__ void reverseTwice(int* a, int* b, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[n - 1 - i];
  grid.sync();
  if (i < n) a[i] = b[n - 1 - i] + b[i];
}

int main() {
  int n = 512;
  std::vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  void* arguments[] = {&a, &b, &n};
  cudaError_t e = cudaLaunchCooperativeKernel((void*)reverseTwice, dim3(4), dim3(128), arguments, 0, 0);
  printf("%s\n", cudaGetErrorString(e));
  cudaMemcpy(h.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool ok = true;
  for (int v : h) ok = ok && v == n - 1;
  printf("%s\n", ok ? "PASS" : "FAIL");
  cudaFree(a);
  cudaFree(b);
  return 0;
}
