// One launch, one value. Every block stores its sum in `partials` and draws a number; the block that draws
// the last one knows that all the others are done, and adds the sums up. The counter wraps to 0 by itself,
// so nothing has to be cleared between launches. n may be any number.
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

__global__ void last_block_done(const float* in, float* out, unsigned int n, volatile float* partials,
            unsigned int* counter) {
  extern __shared__ float warpSums[];
  __shared__ bool isLast;
  const unsigned int stride = gridDim.x * blockDim.x;
  float sum = 0.0f;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < n; i += 4 * stride) {  // four loads in flight
    const float a = in[i];
    const float b = in[i + stride];
    const float c = in[i + 2 * stride];
    const float d = in[i + 3 * stride];
    sum += (a + b) + (c + d);
  }
  for (; i < n; i += stride) sum += in[i];
  sum = blockSum(sum, warpSums);

  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();  // every block sees the sum before the number
    isLast = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast) return;

  __threadfence();
  sum = 0.0f;
  for (unsigned int b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += partials[b];
  sum = blockSum(sum, warpSums);
  if (threadIdx.x == 0) out[0] = sum;
}
