// Add during load, with L = 8. Every thread adds 8 elements, a block's width apart, while it loads them
// into shared memory: a block of D threads reduces 8D elements.
template <unsigned int L>
__global__ void add_during_load_8(const float* in, float* out) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;

  const float* begin = in + blockIdx.x * blockDim.x * L;
  float sum = begin[tid];
  for (unsigned int l = 1; l < L; ++l) {
    sum += begin[tid + l * blockDim.x];
  }
  s[tid] = sum;
  __syncthreads();

  for (unsigned int k = blockDim.x / 2; k > 0; k /= 2) {
    if (tid < k) {
      s[tid] += s[tid + k];
    }
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
