// One instruction for a warp of integers. __reduce_add_sync adds the values of all lanes at once, from
// compute capability 8.0 on, for 32-bit integers only. Older GPUs get five shuffles.
__device__ inline int warpSum(int value, unsigned int lanes) {
#if __CUDA_ARCH__ >= 800
  const unsigned int mask = lanes == 32 ? 0xffffffff : (1u << lanes) - 1;
  return __reduce_add_sync(mask, value);
#else
  for (unsigned int k = lanes / 2; k > 0; k /= 2) value += __shfl_xor_sync(0xffffffff, value, k);
  return value;
#endif
}

__global__ void reduce_add(const float* in, float* out) {
  extern __shared__ int warpSums[];
  const unsigned int tid = threadIdx.x;
  const unsigned int laneId = tid % warpSize;
  const unsigned int lanes = min(warpSize, blockDim.x);  // a small block is less than a warp

  const float* begin = in + blockIdx.x * blockDim.x * 2;
  int sum = static_cast<int>(begin[tid] + begin[tid + blockDim.x]);

  sum = warpSum(sum, lanes);
  if (laneId == 0) warpSums[tid / warpSize] = sum;
  __syncthreads();

  if (tid < warpSize) {
    sum = 0;
    for (unsigned int w = laneId; w * warpSize < blockDim.x; w += warpSize) sum += warpSums[w];
    sum = warpSum(sum, lanes);
    if (laneId == 0) out[blockIdx.x] = static_cast<float>(sum);
  }
}
