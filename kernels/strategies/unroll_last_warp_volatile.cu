// Wrong since Volta: the last warp's steps through a volatile pointer. Every access now goes to memory in
// the order of the text, but only as long as the lanes run in step, which nothing here makes them do.
__global__ void unroll_last_warp_volatile(const float* in, float* out) {
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
    volatile float* v = s;
    if (warpSize >= 32 && tid + 32 < words) v[tid] += v[tid + 32];
    if (warpSize >= 16 && tid + 16 < words) v[tid] += v[tid + 16];
    if (warpSize >= 8 && tid + 8 < words) v[tid] += v[tid + 8];
    if (warpSize >= 4 && tid + 4 < words) v[tid] += v[tid + 4];
    if (tid + 2 < words) v[tid] += v[tid + 2];
    if (tid + 1 < words) v[tid] += v[tid + 1];
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
