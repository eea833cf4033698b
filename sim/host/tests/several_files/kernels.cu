#include "shared.h"

__constant__ float weights_of_all[2];
__device__ int launches = 0;
__managed__ float total;

__device__ float weightOf(float x) { return x * weights_of_all[1]; }

__global__ void scale(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) ++launches;
  if (i < n) data[i] *= weights_of_all[0];
}

static __global__ void step(float* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) ++launches;
  if (i < n) data[i] += 1;
}

void stepAll(float* data, int n) { step<<<(n + 31) / 32, 32>>>(data, n); }
