
__global__ void shared_max_used(int* out, unsigned int shift, unsigned int stride) {
  __shared__ int s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = atomicMax(&s[((tid >> shift) * stride) & 1023], (int)tid);
}
