
template <unsigned int blockSize>
__global__ void completely_unrolled(const float* in, float* out) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  const float* begin = in + blockIdx.x * blockSize * 2;
  s[tid] = begin[tid] + begin[tid + blockSize];
  __syncthreads();
  if (blockSize >= 1024) { if (tid < 512) { s[tid] += s[tid + 512]; } __syncthreads(); }
  if (blockSize >= 512) { if (tid < 256) { s[tid] += s[tid + 256]; } __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) { s[tid] += s[tid + 128]; } __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) { s[tid] += s[tid + 64]; } __syncthreads(); }
  if (tid < 32) {
    volatile float* v = s;
    if (blockSize >= 64) v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
