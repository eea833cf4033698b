// What compilers make of accesses. sass_cases.txt: its machine code, of nvcc 13.0 and nvdisasm (-c -gi), as
// lanescope-cli sass runs them for sm_90.
__global__ void last_warp(const float* in, float* out) {  // a data race: no volatile, no __syncwarp
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  if (tid < 32) {
    s[tid] += s[tid + 32];
    s[tid] += s[tid + 16];
    s[tid] += s[tid + 8];
    s[tid] += s[tid + 4];
    s[tid] += s[tid + 2];
    s[tid] += s[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

__global__ void grid_stride(const float* in, float* out, unsigned int n) {
  extern __shared__ float s[];
  unsigned int tid = threadIdx.x;
  s[tid] = 0.0f;
  for (unsigned int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
    s[tid] += in[i];
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + tid] = s[blockDim.x - 1 - tid];
}

__global__ void count(int* out) {
  atomicAdd(out, 1);  // every lane at one word
}

__global__ void pairs(float* out) {
  __shared__ float s[128];
  unsigned int tid = threadIdx.x;
  s[2 * tid] = tid;
  s[2 * tid + 1] = tid + 1;
  __syncthreads();
  out[tid] = s[2 * tid] + s[2 * tid + 1];
}

__global__ void twice(const float* __restrict__ in, float* __restrict__ out) {
  out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];
}

__global__ void unused(const float* in, float* out) {
  float x = in[threadIdx.x + 64];
  if (in[threadIdx.x] < 0.0f) x = 1.0f;
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void four_times(const float* in, float* out) {
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) sum += in[threadIdx.x + 64 * k];
  out[threadIdx.x] = sum;
}

template <int k>
__global__ void scaled(const float* in, float* out) {
  out[threadIdx.x] = k * in[threadIdx.x];
}
