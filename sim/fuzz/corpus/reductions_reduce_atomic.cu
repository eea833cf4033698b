
// atomics, and the three-level warp/block/grid reduction
__global__ void reduce_atomic(const float* in, float* out, unsigned int n) {
  unsigned int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) atomicAdd(out, in[i]);
}
