// Multiple elements per thread. A thread adds two elements, advances by the whole grid and adds two
// more, until none are left: few blocks, many elements per thread. n may be any number.
__global__ void multiple_elements(const float* in, float* out, unsigned int n) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;
  const unsigned int stride = gridDim.x * blockDim.x * 2;

  float sum = 0.0f;
  for (unsigned int i = blockIdx.x * blockDim.x * 2 + tid; i < n; i += stride) {
    sum += in[i];
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
  }
  s[tid] = sum;
  __syncthreads();

  unsigned int k = blockDim.x / 2;
  for (; k > warpSize; k /= 2) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  for (; k > 0; k /= 2) {  // only lanes of the first warp add
    if (tid < k) s[tid] += s[tid + k];
    __syncwarp();
  }

  if (tid == 0) out[blockIdx.x] = s[0];
}
