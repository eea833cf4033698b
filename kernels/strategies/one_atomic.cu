// All threads, one word. Every thread adds its elements to out[0] with an atomic addition, so that no
// two additions get in each other's way, and all of them queue. out[0] must be 0 before.
__global__ void one_atomic(const float* in, float* out, unsigned int n) {
  const unsigned int stride = gridDim.x * blockDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd(out, in[i]);
  }
}
