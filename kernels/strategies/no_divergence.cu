// No divergence. The same additions as in the baseline, but made by the first threads
// of the block: thread t works on word 2kt, so whole warps are active or idle.
__global__ void no_divergence(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();

  for (unsigned int k = 1; k < blockDim.x; k *= 2) {
    if (tid < blockDim.x / (2 * k)) {
      const unsigned int index = 2 * k * tid;
      s[index] += s[index + k];
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
