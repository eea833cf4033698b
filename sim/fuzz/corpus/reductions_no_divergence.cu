
__global__ void no_divergence(const float* in, float* out) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned int i = 1; i < blockDim.x; i *= 2) {
    if (tid < blockDim.x / (2 * i)) {
      unsigned int index = tid * 2 * i;
      s[index] += s[index + i];
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
