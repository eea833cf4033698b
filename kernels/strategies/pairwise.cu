// Pairwise addition. Pairs first, then pairs of pairs: an element takes part in log2 n additions; from
// left to right it takes part in up to n.
__global__ void pairwise(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  const float* begin = in + blockIdx.x * blockDim.x * 8;
  float x[8];
  for (unsigned int i = 0; i < 8; ++i) x[i] = begin[tid + i * blockDim.x];
  s[tid] = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
  __syncthreads();

  for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
