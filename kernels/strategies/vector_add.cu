// Vector addition: out[i] = in[i] + b[i], each element by a thread of its own or, where there are more
// elements than threads, by a grid-stride loop. n may be any number.
__global__ void vector_add(const float* in, const float* b, float* out, unsigned int n) {
  const unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = in[i] + b[i];
  }
}
