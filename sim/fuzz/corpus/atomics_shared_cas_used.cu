
__global__ void shared_cas_used(unsigned int* out, unsigned int shift, unsigned int stride) {
  __shared__ unsigned int s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = atomicCAS(&s[((tid >> shift) * stride) & 1023], 0u, tid);
}
