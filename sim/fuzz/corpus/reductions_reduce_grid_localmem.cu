
__global__ void reduce_grid_localmem(const float* a, float* out, unsigned int n) {
  __shared__ float s[2048];
  unsigned int elements = 2 * blockDim.x;
  unsigned int offset = 2 * blockIdx.x * blockDim.x;
  unsigned int thread = threadIdx.x;
  s[thread] = a[offset + thread];
  s[thread + blockDim.x] = a[offset + thread + blockDim.x];
  for (unsigned int d = 1; d < elements; d *= 2) {
    __syncthreads();
    unsigned int index = 2 * d * thread;
    if (index < elements) s[index] = s[index] + s[index + d];
  }
  if (thread == 0) atomicAdd(out, s[0]);
}
