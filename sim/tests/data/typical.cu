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

__global__ void vector_loads(const int* in, int* out, int n) {
  int sum = 0;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = idx; i < n / 4; i += blockDim.x * gridDim.x) {
    int4 val = reinterpret_cast<const int4*>(in)[i];
    sum += (val.x + val.y) + (val.z + val.w);
  }
  int i = idx + n / 4 * 4;
  if (i < n) sum += in[i];
  atomicAdd(out, sum);
}

__global__ void triangle(const float* m, float* out, int w) {
  int row = threadIdx.x;
  float sum = 0;
  for (int c = 0; c <= row; ++c) sum += m[c * w + row];
  out[row] = sum;
}

__global__ void horner(const float* c, const float* x, float* y, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = c[degree];
  for (int k = degree - 1; k >= 0; --k) v = v * x[i] + c[k];
  y[i] = v;
}

__global__ void stencil2d_shared(const float* in, float* out, int w) {
  __shared__ float s[10][34];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
  for (int j = ty; j < 10; j += 8)
    for (int i = tx; i < 34; i += 32) s[j][i] = in[(blockIdx.y * 8 + j) * w + blockIdx.x * 32 + i];
  __syncthreads();
  out[y * w + x] = s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2] - 4 * s[ty + 1][tx + 1];
}

__global__ void exclusive_from_inclusive(const int* in, int* out) {
  __shared__ int s[2][64];
  int t = threadIdx.x, from = 0;
  s[0][t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int to = 1 - from;
    s[to][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = to;
    __syncthreads();
  }
  out[t] = s[from][t];
}

__global__ void matmul_unrolled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[8][8], bs[8][8];
  int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
  float sum = 0;
  for (int m = 0; m < n; m += 8) {
    as[ty][tx] = a[row * n + m + tx];
    bs[ty][tx] = b[(m + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void last_steps_by_one(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int k = 32; k > 4; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += s[i];
    *out = sum;
  }
}

__global__ void gather(const float* in, const int* index, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i] & 255] + in[(index[i] >> 8) & 255];
}

__global__ void csr(const int* start, const int* col, const float* val, const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int j = start[row]; j < start[row + 1]; ++j) sum += val[j] * x[col[j]];
    y[row] = sum;
  }
}
