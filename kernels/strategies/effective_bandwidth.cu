// Vector addition in two loops over the arrays: the first copies in to out, the second adds b to it.
// The result is that of one loop, but out is written, read and written again. n may be any number.
__global__ void effective_bandwidth(const float* in, const float* b, float* out, unsigned int n) {
  const unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = thread; i < n; i += stride) out[i] = in[i];
  for (unsigned int i = thread; i < n; i += stride) out[i] += b[i];
}
