// Butterfly shuffle. Lanes exchange their sums with the lane whose number differs in one bit; after
// the last bit every lane of the warp holds the whole sum, not only lane 0.
__device__ inline float butterflySum(float sum, unsigned int lanes) {
  for (unsigned int bit = lanes / 2; bit > 0; bit /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, bit);
  }
  return sum;
}

__global__ void butterfly(const float* in, float* out) {
  extern __shared__ float warpSums[];
  const unsigned int tid = threadIdx.x;
  const unsigned int warpId = tid / warpSize;
  const unsigned int laneId = tid % warpSize;
  const unsigned int lanes = min(warpSize, blockDim.x);  // a small block is less than a warp

  float sum = butterflySum(in[blockIdx.x * blockDim.x + tid], lanes);
  if (laneId == 0) warpSums[warpId] = sum;
  __syncthreads();

  if (warpId == 0) {
    sum = 0.0f;
    for (unsigned int w = laneId; w * warpSize < blockDim.x; w += warpSize) sum += warpSums[w];
    sum = butterflySum(sum, lanes);
    if (laneId == 0) out[blockIdx.x] = sum;
  }
}
