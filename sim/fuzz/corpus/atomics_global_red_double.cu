
__global__ void global_red_double(double* sums, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[((tid >> shift) * stride) & 511], 1.0);
}
