#include "shared.h"

#include <cstdio>
#include <cstdlib>

extern __device__ int launches;
extern __managed__ float total;

__device__ float weightOf(float x);  // of kernels.cu, as with -rdc=true

static __global__ void step(float* data, int n) {  // kernels.cu has its own
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = weightOf(data[i]) + 100;
}

int main(int argc, char** argv) {
  const int n = 64;
  float host[n];
  fillHost(host, n);
  const float weights[2] = {3, 0.5f};
  float* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights_of_all, weights, sizeof weights);
  scale<<<2, 32>>>(data, n);
  step<<<2, 32>>>(data, n);
  stepAll(data, n);
  sum<float><<<1, 32>>>(data, &total, n);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  int count = 0;
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  printf("%d arguments, first %g, last %g, total %g, launches %d, %d\n", argc - 1, host[0], host[n - 1],
         total, count, sumOf(2, 3));
  if (argc > 1) printf("argument %s\n", argv[1]);
  cudaFree(data);
  return sumOf(1, 1);
}
