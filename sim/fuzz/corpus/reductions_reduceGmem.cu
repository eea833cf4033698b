
// global memory, shared memory, and each unrolled by four data blocks: int, 256 threads
__global__ void reduceGmem(int* g_in, int* g_out, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockDim.x * blockIdx.x + threadIdx.x;
  if (idx >= n) return;
  int* in = g_in + blockDim.x * blockIdx.x;
  if (blockDim.x >= 1024 && tid < 512) in[tid] += in[tid + 512];
  __syncthreads();
  if (blockDim.x >= 512 && tid < 256) in[tid] += in[tid + 256];
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
