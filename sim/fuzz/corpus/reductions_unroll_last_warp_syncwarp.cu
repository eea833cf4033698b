
__global__ void unroll_last_warp_syncwarp(const float* in, float* out) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  const float* begin = in + blockIdx.x * blockDim.x * 2;
  s[tid] = begin[tid] + begin[tid + blockDim.x];
  __syncthreads();
  for (unsigned int i = blockDim.x / 2; i > 32; i /= 2) {
    if (tid < i) {
      s[tid] += s[tid + i];
    }
    __syncthreads();
  }
  if (tid < 32) {
    float x = s[tid];
    x += s[tid + 32]; __syncwarp(); s[tid] = x; __syncwarp();
    x += s[tid + 16]; __syncwarp(); s[tid] = x; __syncwarp();
    x += s[tid + 8];  __syncwarp(); s[tid] = x; __syncwarp();
    x += s[tid + 4];  __syncwarp(); s[tid] = x; __syncwarp();
    x += s[tid + 2];  __syncwarp(); s[tid] = x; __syncwarp();
    x += s[tid + 1];  __syncwarp(); s[tid] = x; __syncwarp();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
