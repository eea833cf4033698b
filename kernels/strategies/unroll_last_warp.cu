// Unroll the last warp. When one warp can finish alone, it does so without
// __syncthreads: the last steps are written out, ordered by __syncwarp.
__global__ void unroll_last_warp(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  const float* begin = in + blockIdx.x * blockDim.x * 2;
  s[tid] = begin[tid] + begin[tid + blockDim.x];
  __syncthreads();

  unsigned int live = blockDim.x;  // words that still hold partial sums
  for (; live > 2 * warpSize; live /= 2) {
    if (tid < live / 2) {
      s[tid] += s[tid + live / 2];
    }
    __syncthreads();
  }

  if (tid < warpSize) {
    float x = s[tid];
    if (live > 32) { if (tid + 32 < live) x += s[tid + 32]; __syncwarp(); s[tid] = x; __syncwarp(); }
    if (live > 16) { if (tid + 16 < live) x += s[tid + 16]; __syncwarp(); s[tid] = x; __syncwarp(); }
    if (live > 8)  { if (tid + 8 < live)  x += s[tid + 8];  __syncwarp(); s[tid] = x; __syncwarp(); }
    if (live > 4)  { if (tid + 4 < live)  x += s[tid + 4];  __syncwarp(); s[tid] = x; __syncwarp(); }
    if (live > 2)  { if (tid + 2 < live)  x += s[tid + 2];  __syncwarp(); s[tid] = x; __syncwarp(); }
    if (live > 1)  { if (tid + 1 < live)  x += s[tid + 1];  __syncwarp(); s[tid] = x; __syncwarp(); }
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
