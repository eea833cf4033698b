// Wrong by design: the last warp's steps with no synchronization between them. A lane reads
// words that other lanes write, and no barrier says which comes first.
__global__ void unroll_last_warp_racy(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;
  const unsigned int words = blockDim.x;

  const float* begin = in + blockIdx.x * blockDim.x * 2;
  s[tid] = begin[tid] + begin[tid + blockDim.x];
  __syncthreads();

  for (unsigned int k = blockDim.x / 2; k > warpSize; k /= 2) {
    if (tid < k) {
      s[tid] += s[tid + k];
    }
    __syncthreads();
  }

  if (tid < warpSize) {  // each test holds for all lanes where a block has two warps or more
    if (warpSize >= 32 && tid + 32 < words) s[tid] += s[tid + 32];
    if (warpSize >= 16 && tid + 16 < words) s[tid] += s[tid + 16];
    if (warpSize >= 8 && tid + 8 < words) s[tid] += s[tid + 8];
    if (warpSize >= 4 && tid + 4 < words) s[tid] += s[tid + 4];
    if (tid + 2 < words) s[tid] += s[tid + 2];
    if (tid + 1 < words) s[tid] += s[tid + 1];
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
