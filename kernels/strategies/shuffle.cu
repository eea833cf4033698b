// Shuffle. Lanes hand their sums to each other from register to register; shared memory
// holds only one float per warp, from every warp to the first.
// Lane 0 ends with the sum over the first `lanes` lanes of its warp.
__device__ inline float warpSum(float sum, unsigned int lanes) {
  if (lanes > 16) sum += __shfl_down_sync(0xffffffff, sum, 16);
  if (lanes > 8) sum += __shfl_down_sync(0xffffffff, sum, 8);
  if (lanes > 4) sum += __shfl_down_sync(0xffffffff, sum, 4);
  if (lanes > 2) sum += __shfl_down_sync(0xffffffff, sum, 2);
  if (lanes > 1) sum += __shfl_down_sync(0xffffffff, sum, 1);
  return sum;
}

__global__ void shuffle(const float* in, float* out) {
  extern __shared__ float warpSums[];
  const unsigned int tid = threadIdx.x;
  const unsigned int warpId = tid / warpSize;
  const unsigned int laneId = tid % warpSize;
  const unsigned int lanes = min(warpSize, blockDim.x);  // a small block is less than a warp

  const float* begin = in + blockIdx.x * blockDim.x * 2;
  float sum = begin[tid] + begin[tid + blockDim.x];

  sum = warpSum(sum, lanes);
  if (laneId == 0) warpSums[warpId] = sum;
  __syncthreads();

  if (warpId == 0) {
    sum = 0.0f;
    for (unsigned int w = laneId; w * warpSize < blockDim.x; w += warpSize) sum += warpSums[w];
    sum = warpSum(sum, lanes);
    if (laneId == 0) out[blockIdx.x] = sum;
  }
}
