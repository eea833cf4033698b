
// vectorised loads
__global__ void vec4_gridstride(const float* in, float* out, unsigned int n) {
  __shared__ float warpSums[32];
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* in4 = reinterpret_cast<const float4*>(in);
  float sum = 0.0f;
  for (unsigned int i = tid; i < n / 4; i += gridDim.x * blockDim.x) {
    float4 v = in4[i];
    sum += v.x + v.y + v.z + v.w;
  }
  for (unsigned int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffff, sum, o);
  if (threadIdx.x % 32 == 0) warpSums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warpSums[threadIdx.x] : 0.0f;
    for (unsigned int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(0xffffffff, sum, o);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
