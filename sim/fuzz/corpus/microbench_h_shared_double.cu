
__global__ void h_shared_double(double* out, unsigned int stride) {          // 64-bit accesses
  __shared__ double s[1024];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 1024; i += blockDim.x) s[i] = (double)i;
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = s[(tid * stride) % 1024];
}
