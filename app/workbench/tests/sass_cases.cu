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

__global__ void both_sides(const float* in, float* out) {
  float x;
  if (threadIdx.x % 2 == 0) {
    x = in[threadIdx.x] * 2.0f;
  } else {
    x = in[threadIdx.x] + 1.0f;
  }
  out[threadIdx.x] = x;
}

__global__ void before_the_loop(const float* __restrict__ in, float* __restrict__ out, unsigned int n) {
  __shared__ float s[64];
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned int k = 0; k < n; ++k) {
    s[threadIdx.x] = sum + in[threadIdx.x];
    __syncthreads();
    sum += s[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void row_sums(float* out) {
  __shared__ float s[256];
  for (unsigned int k = 0; k < 4; ++k) s[threadIdx.x + 64 * k] = threadIdx.x;
  __syncthreads();
  float sum = 0.0f;
  for (unsigned int k = 0; k < 4; ++k) sum += s[4 * threadIdx.x + k];
  out[threadIdx.x] = sum;
}

__global__ void accumulate(const float* __restrict__ in, float* __restrict__ out, unsigned int n) {
  for (unsigned int k = 0; k < n; ++k) out[threadIdx.x] += in[threadIdx.x + 64 * k];
}

__global__ void two_fields(const float4* in, float* out) {
  float4 v = in[threadIdx.x];
  out[threadIdx.x] = v.x + v.w;
}

__global__ void rounds(const float* in, float* out) {
  __shared__ float s[64];
  float sum = in[threadIdx.x];
  for (int r = 0; r < 16; ++r) {
    s[threadIdx.x] = sum;
    __syncthreads();
    sum = s[threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void wide_shuffle(const double* in, double* out) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffff, in[threadIdx.x], 1);
}

__global__ void add_shared(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 0.0f;
  __syncthreads();
  atomicAdd(&s[63 - threadIdx.x], in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void add_among_warps(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 0.0f;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % 16], in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
