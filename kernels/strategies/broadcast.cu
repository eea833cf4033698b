// All lanes of a warp read the same word of shared memory, then the next: each lane adds up all words
// of its warp, and one wavefront serves all lanes. Then thread 0 adds up the sums of the warps.
__global__ void broadcast(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;
  const unsigned int lanes = min(warpSize, blockDim.x);
  const unsigned int first = tid / lanes * lanes;  // the first word of the warp

  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();

  float sum = 0.0f;
  for (unsigned int k = 0; k < lanes; ++k) {
    sum += s[first + k];
  }
  __syncthreads();

  if (tid == first) s[tid / lanes] = sum;
  __syncthreads();

  if (tid == 0) {
    float total = 0.0f;
    for (unsigned int w = 0; w < blockDim.x / lanes; ++w) total += s[w];
    out[blockIdx.x] = total;
  }
}
