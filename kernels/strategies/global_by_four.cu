// In global memory, unrolled by four. Each thread adds four elements, a block's width apart, before the
// tree in `scratch` begins: four loads in flight, and a quarter of the trees.
__global__ void global_by_four(const float* in, float* out, float* scratch) {
  const unsigned int tid = threadIdx.x;
  const float* begin = in + blockIdx.x * blockDim.x * 4;
  float* words = scratch + blockIdx.x * blockDim.x;

  const float a = begin[tid];
  const float b = begin[tid + blockDim.x];
  const float c = begin[tid + 2 * blockDim.x];
  const float d = begin[tid + 3 * blockDim.x];
  words[tid] = a + b + c + d;
  __syncthreads();

  unsigned int k = blockDim.x / 2;
  for (; k > warpSize; k /= 2) {
    if (tid < k) words[tid] += words[tid + k];
    __syncthreads();
  }
  if (tid < warpSize) {
    for (; k > 0; k /= 2) {  // all lanes of the first warp add; only the sums below k will be read
      float x = 0.0f;
      if (tid + k < blockDim.x) x = words[tid] + words[tid + k];
      __syncwarp();
      if (tid + k < blockDim.x) words[tid] = x;
      __syncwarp();
    }
  }

  if (tid == 0) out[blockIdx.x] = words[0];
}
