// Reference reductions measured on an NVIDIA H200; h200-counters.jsonl holds what the hardware counted for each launch.

// ---------- reductions described by the seeds ----------
__global__ void baseline(const float* in, float* out) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned int i = 1; i < blockDim.x; i *= 2) {
    if (tid % (2 * i) == 0) {
      s[tid] += s[tid + i];
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
