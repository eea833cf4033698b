// Strategy 6: shuffle. Lanes hand their sums to each other register to register; shared memory
// carries only one float a warp, from every warp to the first.
__global__ void shuffle(const float* in, float* out) {
  extern __shared__ float warpSums[];
  const unsigned int tid = threadIdx.x;
  const unsigned int lanes = min(warpSize, blockDim.x);  // fewer than a warp in a tiny block
  const unsigned int warpId = tid / lanes;
  const unsigned int laneId = tid % lanes;

  const float* begin = in + blockIdx.x * blockDim.x * 2;
  float sum = begin[tid] + begin[tid + blockDim.x];

  for (unsigned int k = lanes / 2; k > 0; k /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, k, lanes);
  }
  if (laneId == 0) warpSums[warpId] = sum;
  __syncthreads();

  if (warpId == 0) {
    sum = laneId < blockDim.x / lanes ? warpSums[laneId] : 0.0f;
    for (unsigned int k = lanes / 2; k > 0; k /= 2) {
      sum += __shfl_down_sync(0xffffffff, sum, k, lanes);
    }
    if (laneId == 0) out[blockIdx.x] = sum;
  }
}
