// A bitonic sort, a launch per step.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

__global__ void bitonicStep(int* values, int j, int k) {
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned int ixj = i ^ j;
  if (ixj > i) {
    if ((i & k) == 0 && values[i] > values[ixj]) {
      int temp = values[i];
      values[i] = values[ixj];
      values[ixj] = temp;
    }
    if ((i & k) != 0 && values[i] < values[ixj]) {
      int temp = values[i];
      values[i] = values[ixj];
      values[ixj] = temp;
    }
  }
}

int main() {
  const int n = 4096;
  int* h = (int*)malloc(n * sizeof(int));
  unsigned int state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1103515245u + 12345u;
    h[i] = (state >> 16) % 10000;
  }
  int* d;
  cudaMalloc((void**)&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  for (int k = 2; k <= n; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) bitonicStep<<<n / 256, 256>>>(d, j, k);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d %d %d ... %d\n", h[0], h[1], h[2], h[n - 1]);
  bool ok = std::is_sorted(h, h + n);
  printf("%s\n", ok ? "Sorted!" : "NOT sorted!");
  free(h);
  return !ok;
}
