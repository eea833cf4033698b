
__global__ void reduce_grid_atomic(float* a, float* out, unsigned int n) {
  unsigned int elements = 2 * blockDim.x;
  unsigned int offset = 2 * blockIdx.x * blockDim.x;
  unsigned int thread = threadIdx.x;
  for (unsigned int d = 1; d < elements; d *= 2) {
    __syncthreads();
    unsigned int index = 2 * d * thread;
    if (index < elements && index + d + offset < n) {
      index += offset;
      a[index] = a[index] + a[index + d];
    }
  }
  if (thread == 0) atomicAdd(out, a[offset]);
}
