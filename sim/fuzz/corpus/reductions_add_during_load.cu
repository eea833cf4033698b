
__global__ void add_during_load(const float* in, float* out) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  const float* begin = in + blockIdx.x * blockDim.x * 2;
  s[tid] = begin[tid] + begin[tid + blockDim.x];
  __syncthreads();
  for (unsigned int i = blockDim.x / 2; i > 0; i /= 2) {
    if (tid < i) {
      s[tid] += s[tid + i];
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
