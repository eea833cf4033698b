
__global__ void h_shared_float4(float4* out, unsigned int stride) {          // 128-bit accesses
  __shared__ float4 s[512];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 512; i += blockDim.x) s[i] = make_float4((float)i, 1.0f, 2.0f, 3.0f);
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = s[(tid * stride) % 512];
}
