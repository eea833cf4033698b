// No bank conflict. Sequential addressing: the step size runs from D/2 down to 1, so that
// adjacent threads always access consecutive words: one word per bank.
__global__ void no_bank_conflict(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();

  for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {
    if (tid < k) {
      s[tid] += s[tid + k];
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
