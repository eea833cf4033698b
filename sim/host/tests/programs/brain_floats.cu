#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
__global__ void scaleBf(const __nv_bfloat16* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __bfloat162float(in[i]) * 2.0f;
}
int main() {
  const int n = 100;
  __nv_bfloat16 h[n], *d;
  float o[n], *f;
  for (int i = 0; i < n; ++i) h[i] = __float2bfloat16(i + 0.3f);
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&f, sizeof o);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  scaleBf<<<1, 128>>>(d, f, n);
  cudaMemcpy(o, f, sizeof o, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", o[0], o[1], o[99]);
  cudaFree(d);
  cudaFree(f);
}
