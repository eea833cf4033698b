// Mapped host memory: the kernel reads and writes it in place.
#include <cstdio>

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  float *a, *b, *c, *da, *db, *dc;
  cudaSetDeviceFlags(cudaDeviceMapHost);
  cudaHostAlloc(&a, n * sizeof(float), cudaHostAllocMapped);
  cudaHostAlloc(&b, n * sizeof(float), cudaHostAllocMapped);
  cudaHostAlloc(&c, n * sizeof(float), cudaHostAllocMapped);
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }
  cudaHostGetDevicePointer(&da, a, 0);
  cudaHostGetDevicePointer(&db, b, 0);
  cudaHostGetDevicePointer(&dc, c, 0);
  add<<<(n + 127) / 128, 128>>>(da, db, dc, n);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += c[i];
  printf("sum = %.0f\n", sum);
  cudaFreeHost(a);
  cudaFreeHost(b);
  cudaFreeHost(c);
  return 0;
}
