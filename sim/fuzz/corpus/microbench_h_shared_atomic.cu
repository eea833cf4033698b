__global__ void h_shared_atomic(unsigned int* out, unsigned int shift, unsigned int stride) {
  __shared__ unsigned int s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  atomicAdd(&s[((tid >> shift) * stride) & 1023], 1u);
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = s[tid];
}
