
// butterfly shuffle, and transpose
__global__ void reduceShfl(int* g_in, int* g_out, unsigned int n) {
  __shared__ int smem[32];
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  int mySum = g_in[idx];
  int laneIdx = threadIdx.x % warpSize;
  int warpIdx = threadIdx.x / warpSize;
  for (int mask = 16; mask > 0; mask /= 2) mySum += __shfl_xor_sync(0xffffffff, mySum, mask);
  if (laneIdx == 0) smem[warpIdx] = mySum;
  __syncthreads();
  mySum = (threadIdx.x < blockDim.x / warpSize) ? smem[laneIdx] : 0;
  if (warpIdx == 0) {
    for (int mask = 16; mask > 0; mask /= 2) mySum += __shfl_xor_sync(0xffffffff, mySum, mask);
  }
  if (threadIdx.x == 0) g_out[blockIdx.x] = mySum;
}
