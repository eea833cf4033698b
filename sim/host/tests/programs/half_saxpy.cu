// SAXPY on 16-bit floats: converted on the host, computed by float on the device.
#include <cuda_fp16.h>
#include <stdio.h>
#include <vector>

__global__ void saxpy(int n, float a, const half* x, half* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(a * __half2float(x[i]) + __half2float(y[i]));
}

int main() {
  const int n = 500;
  std::vector<half> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = __float2half(0.5f * i);
    y[i] = __float2half(1.0f);
  }
  half *dx, *dy;
  cudaMalloc(&dx, n * sizeof(half));
  cudaMalloc(&dy, n * sizeof(half));
  cudaMemcpy(dx, x.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), n * sizeof(half), cudaMemcpyHostToDevice);
  saxpy<<<(n + 127) / 128, 128>>>(n, 3.0f, dx, dy);
  cudaMemcpy(y.data(), dy, n * sizeof(half), cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", __half2float(y[0]), __half2float(y[101]), __half2float(y[499]));
  cudaFree(dx);
  cudaFree(dy);
  return 0;
}
