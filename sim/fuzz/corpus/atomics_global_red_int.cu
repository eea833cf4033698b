
__global__ void global_red_int(int* counts, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(&counts[((tid >> shift) * stride) & 1023], (int)tid);
}
