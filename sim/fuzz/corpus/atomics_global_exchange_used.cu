
__global__ void global_exchange_used(unsigned int* counts, unsigned int* out, unsigned int shift, unsigned int stride) {
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  out[tid] = atomicExch(&counts[((tid >> shift) * stride) & 1023], tid);
}
