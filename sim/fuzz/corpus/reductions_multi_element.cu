
__global__ void multi_element(const float* in, float* out, unsigned int n) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x * 2 + tid;
  unsigned int grid = blockDim.x * 2 * gridDim.x;
  s[tid] = 0.0f;
  while (i < n) {
    s[tid] += in[i] + in[i + blockDim.x];
    i += grid;
  }
  __syncthreads();
  for (unsigned int k = blockDim.x / 2; k > 32; k >>= 1) {
    if (tid < k) s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid < 32) {
    volatile float* v = s;
    v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
