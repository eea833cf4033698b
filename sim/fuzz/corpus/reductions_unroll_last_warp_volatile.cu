
__global__ void unroll_last_warp_volatile(const float* in, float* out) {
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
    volatile float* v = s;
    v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
