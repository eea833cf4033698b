// One launch, one value, and nothing to clear before it: the blocks add their sums to `out`, which the launch
// before has cleared, and thread 0 clears `next`, to which the launch after adds. out[0] must be 0 before the
// first. n may be any number.
__device__ inline float sumOf(float4 v) { return (v.x + v.y) + (v.z + v.w); }

// Lane 0 ends with the sum over the first `lanes` lanes of its warp.
__device__ inline float warpSum(float sum, unsigned int lanes) {
  for (unsigned int k = lanes / 2; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffff, sum, k);
  return sum;
}

// Thread 0 ends with the sum over its block, whose size is a power of two.
__device__ inline float blockSum(float sum, float* warpSums) {
  const unsigned int lanes = min(warpSize, blockDim.x);
  const unsigned int laneId = threadIdx.x % warpSize;
  sum = warpSum(sum, lanes);
  if (laneId == 0) warpSums[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x < warpSize) {
    sum = 0.0f;
    for (unsigned int w = laneId; w * warpSize < blockDim.x; w += warpSize) sum += warpSums[w];
    sum = warpSum(sum, lanes);
  }
  return sum;
}

__global__ void clear_next_sum(const float* in, float* out, unsigned int n, float* next) {
  extern __shared__ float warpSums[];
  const float4* wide = reinterpret_cast<const float4*>(in);
  const unsigned int count = n / 4;
  const unsigned int stride = gridDim.x * blockDim.x;
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;

  float sum = 0.0f;
  unsigned int i = thread;
  for (; i + stride < count; i += 2 * stride) {
    const float4 first = wide[i];
    const float4 second = wide[i + stride];
    sum += sumOf(first) + sumOf(second);
  }
  if (i < count) sum += sumOf(wide[i]);
  if (thread < n % 4) sum += in[4 * count + thread];  // what no float4 covers

  sum = blockSum(sum, warpSums);
  if (threadIdx.x == 0) atomicAdd(out, sum);
  if (thread == 0) next[0] = 0.0f;
}
