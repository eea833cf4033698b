
__global__ void reduceGmemUnroll(int* g_in, int* g_out, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockDim.x * blockIdx.x * 4 + threadIdx.x;
  int* in = g_in + blockDim.x * blockIdx.x * 4;
  if (idx + blockDim.x * 3 < n) {
    int sum = 0;
    sum += g_in[idx + blockDim.x];
    sum += g_in[idx + blockDim.x * 2];
    sum += g_in[idx + blockDim.x * 3];
    g_in[idx] += sum;
  }
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) in[tid] += in[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) in[tid] += in[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile int* v = in;
    v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
  }
  if (tid == 0) g_out[blockIdx.x] = in[0];
}
