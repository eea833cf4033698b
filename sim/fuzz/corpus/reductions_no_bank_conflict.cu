
__global__ void no_bank_conflict(const float* in, float* out) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned int i = blockDim.x / 2; i > 0; i /= 2) {
    if (tid < i) {
      s[tid] += s[tid + i];
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
