
__global__ void reduceSmemUnroll(int* g_in, int* g_out, unsigned int n) {
  __shared__ int s[256];
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockDim.x * blockIdx.x * 4 + threadIdx.x;
  int sum = 0;
  if (idx + blockDim.x * 3 < n) {
    sum += g_in[idx];
    sum += g_in[idx + blockDim.x];
    sum += g_in[idx + blockDim.x * 2];
    sum += g_in[idx + blockDim.x * 3];
  }
  s[tid] = sum;
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) s[tid] += s[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) s[tid] += s[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile int* v = s;
    v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
  }
  if (tid == 0) g_out[blockIdx.x] = s[0];
}
