// Baseline. Interleaved addressing: at step size k every (2k)-th thread adds the
// word k to its right. Blocks of D threads (a power of two) reduce D floats each.
__global__ void baseline(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();

  for (unsigned int k = 1; k < blockDim.x; k *= 2) {
    if (tid % (2 * k) == 0) {
      s[tid] += s[tid + k];
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
