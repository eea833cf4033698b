#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void interleaved(const float* in, float* out) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    int index = 2 * k * t;
    if (index < blockDim.x) s[index] += s[index + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

template <unsigned B>
__device__ void warpPart(volatile float* s, unsigned t) {
  if (B >= 64) s[t] += s[t + 32];
  if (B >= 32) s[t] += s[t + 16];
  if (B >= 16) s[t] += s[t + 8];
  if (B >= 8) s[t] += s[t + 4];
  if (B >= 4) s[t] += s[t + 2];
  if (B >= 2) s[t] += s[t + 1];
}

template <unsigned B>
__global__ void harris6(const float* in, float* out, unsigned n) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x, i = blockIdx.x * (B * 2) + t, stride = B * 2 * gridDim.x;
  s[t] = 0;
  while (i < n) {
    s[t] += in[i] + in[i + B];
    i += stride;
  }
  __syncthreads();
  if (B >= 512) { if (t < 256) s[t] += s[t + 256]; __syncthreads(); }
  if (B >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (B >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
  if (t < 32) warpPart<B>(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void one_thread_sums(const float* in, float* out, int m) {
  __shared__ float s[128];
  s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < m; ++i) sum += s[i];
    out[blockIdx.x] = sum;
  }
}

__global__ void every_thread_sums(const float* in, float* out, int m) {
  __shared__ float s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 1; i < m; ++i) sum += s[i];
  out[threadIdx.x] = sum;
}

__global__ void one_thread_sums_int(const int* in, int* out, int m) {
  __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < m; ++i) sum += s[i];
    *out = sum;
  }
}

__global__ void uniform_global(const float* in, float* out, int m) {
  float sum = 0;
  for (int i = 0; i < m; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}

__global__ void dot_shared(const float* a, const float* b, float* out) {
  __shared__ float x[64], y[64];
  x[threadIdx.x] = a[threadIdx.x];
  y[threadIdx.x] = b[threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += x[i] * y[i];
  out[threadIdx.x] = sum;
}

__global__ void transpose_plain(const float* in, float* out, int w) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[x * w + y] = in[y * w + x];
}

__global__ void transpose_tile(const float* in, float* out, int w) {
  __shared__ float t[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  t[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  out[(blockIdx.x * 16 + threadIdx.y) * w + blockIdx.y * 16 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}

__global__ void blelloch(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x, n = 2 * blockDim.x, offset = 1;
  s[2 * t] = in[2 * t];
  s[2 * t + 1] = in[2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      float x = s[ai];
      s[ai] = s[bi];
      s[bi] += x;
    }
  }
  __syncthreads();
  out[2 * t] = s[2 * t];
  out[2 * t + 1] = s[2 * t + 1];
}

__global__ void shuffle_sum(const float* in, float* out, int n) {
  __shared__ float s[32];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}

__global__ void tile_sum(const int* in, int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  if (tile.thread_rank() == 0) atomicAdd(out, v);
}

__global__ void four_loads(const float* in, float* out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 4 + t;
  float a = in[i], b = in[i + blockDim.x], c = in[i + 2 * blockDim.x], d = in[i + 3 * blockDim.x];
  s[t] = a + b + c + d;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void unrolled_stride(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += 64) sum += in[i];
  out[threadIdx.x] = sum;
}

__global__ void block_of_96(const float* in, float* out, int n) {
  __shared__ float s[96];
  int i = blockIdx.x * 96 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = 48; k > 0; k = k == 3 ? 0 : k / 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0] + s[1] + s[2];
}

__global__ void double_pairs(const double2* in, double* out) {
  __shared__ double s[64];
  double2 v = in[blockIdx.x * 64 + threadIdx.x];
  s[threadIdx.x] = v.x + v.y;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void bytes_to_sum(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned s[128];
  unsigned sum = 0;
  for (int i = threadIdx.x; i < n; i += 128) sum += in[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 64; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}

__global__ void max_index(const float* in, float* most, int* where, int n) {
  __shared__ float s[128];
  __shared__ int at[128];
  int t = threadIdx.x;
  s[t] = in[t];
  at[t] = t;
  __syncthreads();
  for (int k = 64; k > 0; k >>= 1) {
    if (t < k && s[t + k] > s[t]) {
      s[t] = s[t + k];
      at[t] = at[t + k];
    }
    __syncthreads();
  }
  if (t == 0) { *most = s[0]; *where = at[0]; }
}

__global__ void matrix_vector(const float* a, const float* x, float* y, int w) {
  __shared__ float part[64];
  for (int row = blockIdx.x; row < w; row += gridDim.x) {
    float sum = 0;
    for (int c = threadIdx.x; c < w; c += blockDim.x) sum += a[row * w + c] * x[c];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
      if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
      __syncthreads();
    }
    if (threadIdx.x == 0) y[row] = part[0];
    __syncthreads();
  }
}

__global__ void columns(const float* m, float* out, int h, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < h; ++r) sum += m[r * w + c];
  out[c] = sum;
}

__global__ void last_block(const float* in, float* part, unsigned* count, float* out) {
  __shared__ float s[64];
  __shared__ bool isLast;
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    part[blockIdx.x] = s[0];
    __threadfence();
    isLast = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && t == 0) {
    float sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += part[i];
    *out = sum;
  }
}

__global__ void stride_three(const float* in, float* out) {
  __shared__ float s[192];
  for (int i = 0; i < 3; ++i) s[3 * threadIdx.x + i] = in[3 * threadIdx.x + i];
  __syncthreads();
  out[threadIdx.x] = s[3 * threadIdx.x] + s[3 * threadIdx.x + 1] + s[3 * threadIdx.x + 2];
}

__global__ void four_of_a_thread(const float* in, float* out) {
  __shared__ float s[256];
  for (int i = 0; i < 4; ++i) s[4 * threadIdx.x + i] = in[64 * i + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += s[4 * threadIdx.x + i];
  out[threadIdx.x] = sum;
}

__global__ void both(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x & 1) out[i] = in[i] * 2;
  else out[i] = in[i] + 1;
}

__global__ void bitonic(float* data, int j, int k) {
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j;
  if (ixj > i) {
    if ((i & k) == 0 ? data[i] > data[ixj] : data[i] < data[ixj]) {
      float x = data[i];
      data[i] = data[ixj];
      data[ixj] = x;
    }
  }
}
