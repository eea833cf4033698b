
__global__ void counted(int* m) {  // a histogram
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[m[threadIdx.x] % 16], 1);
  __syncthreads();
  if (threadIdx.x >= 48) m[64 + threadIdx.x - 48] = bins[threadIdx.x - 48];
}
