// In global memory. The tree of a block is in `scratch`, where each step loads and stores its words
// through the caches: the accesses that shared memory saves.
__global__ void global_memory(const float* in, float* out, float* scratch) {
  const unsigned int tid = threadIdx.x;
  const unsigned int half = blockDim.x / 2;
  const float* begin = in + blockIdx.x * blockDim.x;
  float* words = scratch + blockIdx.x * blockDim.x;

  if (blockDim.x == 1) words[tid] = begin[tid];
  if (tid < half) words[tid] = begin[tid] + begin[tid + half];
  __syncthreads();

  unsigned int k = half / 2;
  for (; k > warpSize; k /= 2) {
    if (tid < k) words[tid] += words[tid + k];
    __syncthreads();
  }
  if (tid < warpSize) {
    for (; k > 0; k /= 2) {  // all lanes of the first warp add; only the sums below k will be read
      float x = 0.0f;
      if (tid + k < half) x = words[tid] + words[tid + k];
      __syncwarp();
      if (tid + k < half) words[tid] = x;
      __syncwarp();
    }
  }

  if (tid == 0) out[blockIdx.x] = words[0];
}
