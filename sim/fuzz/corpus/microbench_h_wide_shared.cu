
__global__ void h_wide_shared(float* out, unsigned int shift, unsigned int stride, unsigned int maskbits) {   // merge rules of 64/128-bit loads
  __shared__ double d[512];
  __shared__ float4 q[512];
  unsigned int tid = threadIdx.x;
  for (unsigned int i = tid; i < 512; i += blockDim.x) { d[i] = (double)i; q[i] = make_float4((float)i, 1.0f, 2.0f, 3.0f); }
  __syncthreads();
  float r = 0.0f;
  if ((maskbits >> (tid & 31)) & 1u) {
    double a = d[((tid >> shift) * stride) & 511];
    float4 b = q[((tid >> shift) * stride) & 511];
    r = (float)a + b.x + b.y + b.z + b.w;
  }
  out[blockIdx.x * blockDim.x + tid] = r;
}
