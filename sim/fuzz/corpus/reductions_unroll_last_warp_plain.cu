
__global__ void unroll_last_warp_plain(const float* in, float* out) {   // no volatile, no __syncwarp: a data race, and the GPU's sum is wrong
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  const float* begin = in + blockIdx.x * blockDim.x * 2;
  s[tid] = begin[tid] + begin[tid + blockDim.x];
  __syncthreads();
  for (unsigned int i = blockDim.x / 2; i > 32; i /= 2) {
    if (tid < i) {
      s[tid] += s[tid + i];
    }
    __syncthreads();
  }
  if (tid < 32) {
    s[tid] += s[tid + 32];
    s[tid] += s[tid + 16];
    s[tid] += s[tid + 8];
    s[tid] += s[tid + 4];
    s[tid] += s[tid + 2];
    s[tid] += s[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
