// Kernels that a compiler changes: what is loaded and stored differs from the text in many of them.

// ---------- reductions ----------
template <class T>
__global__ void plain_last_warp(const T* in, T* out) {
  __shared__ T s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void barriers_of_warp(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32]; __syncwarp();
    for (int k = 16; k > 0; k /= 2) {
      if (t < k) s[t] += s[t + k];
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

template <int B>
__global__ void by_template(const int* in, int* out) {
  __shared__ int s[B];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * B + t];
  __syncthreads();
#pragma unroll
  for (int k = B / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void two_per_thread_kept(const float* in, float* out, unsigned n) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  s[t] = 0;
  if (i < n) s[t] += in[i];
  if (i + blockDim.x < n) s[t] += in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] = s[t] + s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void accumulate_in_shared(const float* in, float* out, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += 64) s[threadIdx.x] += in[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += s[i];
    *out = sum;
  }
}

__global__ void multiple_unrolled(const double* in, double* out, int n) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  double sum = 0;
#pragma unroll 4
  for (; i < n; i += 64 * gridDim.x) sum += in[i];
  s[t] = sum;
  __syncthreads();
  if (t < 32) {
    volatile double* v = s;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void long_sum(const long long* in, long long* out, int n) {
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

__global__ void both_ends(const float* in, float* out, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[t] + in[n - 1 - t];
  __syncthreads();
  for (int k = 64; k >= 1; k /= 2) {
    if (t < k) s[t] += s[2 * k - 1 - t];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

__global__ void minimum_maximum(const float* in, float2* out) {
  __shared__ float low[64], high[64];
  int t = threadIdx.x;
  float x = in[blockIdx.x * 64 + t];
  low[t] = x;
  high[t] = x;
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k) {
      low[t] = fminf(low[t], low[t + k]);
      high[t] = fmaxf(high[t], high[t + k]);
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = make_float2(low[0], high[0]);
}

// ---------- wide and adjacent accesses ----------
__global__ void adjacent_four(const float* in, float* out) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  out[i / 4] = in[i] + in[i + 1] + in[i + 2] + in[i + 3];
}

__global__ void adjacent_shared(const float* in, float* out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) s[i * 64 + t] = in[i * 64 + t];
  __syncthreads();
  out[t] = s[4 * t] * s[4 * t + 1] + s[4 * t + 2] * s[4 * t + 3];
}

__global__ void pairs_to_shared(const float2* in, float* out) {
  __shared__ float2 s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float2 v = s[63 - t];
  out[2 * t] = v.x;
  out[2 * t + 1] = v.y;
}

__global__ void quads_copied(const float4* in, float4* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i];
}

__global__ void quads_scaled(const float4* in, float4* out, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[i];
  v.x *= a;
  v.w += v.x;
  out[i] = v;
}

struct Particle {
  float x, y, z, mass;
};
__global__ void array_of_structures(const Particle* p, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x * p[i].mass + p[i].y;
}

__global__ void move_particles(Particle* p, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].x += dt * p[i].mass;
  p[i].y += dt;
}

struct Triple {
  float a, b, c;
};
__global__ void triples(const Triple* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Triple t = in[i];
  out[i] = t.a + t.b + t.c;
}

__global__ void bytes_of_words(const uchar4* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uchar4 v = in[i];
  out[i] = v.x + v.y + v.z + v.w;
}

// ---------- strided and unrolled loops ----------
__global__ void saxpy_strided(float* y, const float* x, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

__global__ void dot_strided(const float* __restrict__ x, const float* __restrict__ y, float* out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64 * gridDim.x) sum += x[i] * y[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 32; k > 0; k /= 2) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, s[0]);
}

__global__ void eight_at_a_time(const int* in, int* out, int n) {
  int sum = 0;
#pragma unroll 8
  for (int i = 0; i < n; ++i) sum += in[i * 64 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void not_unrolled(const float* in, float* out, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  out[threadIdx.x] = sum;
}

__global__ void constant_trips(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i < 10; ++i) sum += in[i * blockDim.x + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void own_trips(const int* count, const float* in, float* out) {
  int n = count[threadIdx.x] % 7;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i * 64 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void triangle_rows(const float* m, float* out, int w) {
  float sum = 0;
  for (int c = threadIdx.x; c < w; ++c) sum += m[threadIdx.x * w + c];
  out[threadIdx.x] = sum;
}

__global__ void collatz(const unsigned* in, unsigned* steps) {
  unsigned x = in[threadIdx.x] + 1, n = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++n;
  }
  steps[threadIdx.x] = n;
}

__global__ void search(const int* sorted, const int* keys, int* out, int n) {
  int key = keys[threadIdx.x], low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < key) low = middle + 1;
    else high = middle;
  }
  out[threadIdx.x] = low;
}

// ---------- atomics ----------
__global__ void count_positive(const int* in, int* counter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 50) atomicAdd(counter, 1);
}

__global__ void append(const int* in, int* counter, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) out[atomicAdd(counter, 1)] = in[i];
}

__global__ void sum_all(const int* in, int* out) { atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]); }

__global__ void largest(const int* in, int* out) { atomicMax(out, in[blockIdx.x * blockDim.x + threadIdx.x]); }

__global__ void flags(const unsigned* in, unsigned* out) { atomicOr(out, 1u << (in[threadIdx.x] & 31)); }

__global__ void sum_floats(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(out, in[i]);
}

__global__ void sum_doubles(const double* in, double* out) {
  atomicAdd(out + (threadIdx.x & 3), in[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void sum_longs(const unsigned long long* in, unsigned long long* out) {
  atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

__global__ void claimed(const int* in, int* owner, int* won) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  won[i] = atomicCAS(owner + (in[i] & 15), 0, i + 1) == 0;
}

__global__ void exchanged(const int* in, int* slots, int* old) {
  int i = threadIdx.x;
  old[i] = atomicExch(slots + i, in[i]);
}

__global__ void histogram_global(const unsigned char* in, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_shared(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned s[128];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i] & 127], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

__global__ void weighted_histogram(const unsigned char* in, const int* weight, int* bins) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[in[threadIdx.x] & 63], weight[threadIdx.x]);
  __syncthreads();
  if (s[threadIdx.x] != 0) atomicAdd(bins + threadIdx.x, s[threadIdx.x]);
}

__global__ void block_counter(const float* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] > 49.5f) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

__global__ void shared_maximum(const int* in, int* out) {
  __shared__ int most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  atomicMax(&most, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = most;
}

__global__ void ranks(const int* in, int* out) {
  __shared__ int places[16];
  if (threadIdx.x < 16) places[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = atomicAdd(&places[in[threadIdx.x] & 15], 1);
}

__global__ void ballot_count(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned votes = __ballot_sync(0xffffffff, in[i] & 1);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, __popc(votes));
}

// ---------- transposes, stencils, products ----------
__global__ void transpose_rows(const float* in, float* out, int w) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_doubles(const double* in, double* out) {
  __shared__ double tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void stencil_global(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

#define RADIUS 3
__global__ void stencil_shared(const int* in, int* out) {
  __shared__ int s[64 + 2 * RADIUS];
  int g = blockIdx.x * 64 + threadIdx.x + RADIUS, l = threadIdx.x + RADIUS;
  s[l] = in[g];
  if (threadIdx.x < RADIUS) {
    s[l - RADIUS] = in[g - RADIUS];
    s[l + 64] = in[g + 64];
  }
  __syncthreads();
  int sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k) sum += s[l + k];
  out[g] = sum;
}

__global__ void heat(const float* u, float* v, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  v[y * w + x] = u[y * w + x] + 0.1f * (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x] - 4 * u[y * w + x]);
}

__global__ void product_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int m = 0; m < n / 16; ++m) {
    as[threadIdx.y][threadIdx.x] = a[row * n + m * 16 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(m * 16 + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void product_guarded(const int* a, const int* b, int* c, int n) {
  __shared__ int as[8][8], bs[8][8];
  int tx = threadIdx.x, ty = threadIdx.y, col = blockIdx.x * 8 + tx, row = blockIdx.y * 8 + ty;
  int sum = 0;
  for (int m = 0; m < n; m += 8) {
    as[ty][tx] = row < n && m + tx < n ? a[row * n + m + tx] : 0;
    bs[ty][tx] = col < n && m + ty < n ? b[(m + ty) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

__global__ void product_naive(const float* a, const float* b, float* c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

__global__ void product_registers(const float* a, const float* b, float* c, int n) {
  __shared__ float as[8][16], bs[16][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sums[4] = {};
  for (int m = 0; m < n; m += 16) {
    for (int i = tx; i < 16; i += 8) as[ty][i] = a[(blockIdx.y * 8 + ty) * n + m + i];
    for (int j = ty; j < 16; j += 8)
      for (int i = 0; i < 4; ++i) bs[j][tx * 4 + i] = b[(m + j) * n + blockIdx.x * 32 + tx * 4 + i];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      for (int i = 0; i < 4; ++i) sums[i] += as[ty][k] * bs[k][tx * 4 + i];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) c[(blockIdx.y * 8 + ty) * n + blockIdx.x * 32 + tx * 4 + i] = sums[i];
}

// ---------- scans, matrix by vector ----------
__global__ void scan_steps(const int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int x = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += x;
    __syncthreads();
  }
  out[t] = s[t];
}

__global__ void scan_of_warp(const float* in, float* out) {
  int lane = threadIdx.x & 31;
  float x = in[threadIdx.x];
  for (int d = 1; d < 32; d *= 2) {
    float y = __shfl_up_sync(0xffffffff, x, d);
    if (lane >= d) x += y;
  }
  out[threadIdx.x] = x;
}

__global__ void row_per_thread(const float* m, const float* x, float* y, int w) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < w; ++c) sum += m[row * w + c] * x[c];
  y[row] = sum;
}

__global__ void row_per_warp(const float* m, const float* x, float* y, int w) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int c = lane; c < w; c += 32) sum += m[row * w + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[row] = sum;
}

__global__ void vector_in_shared(const float* m, const float* x, float* y, int w) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < w; i += blockDim.x) s[i] = x[i];
  __syncthreads();
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < w; ++c) sum += m[c * gridDim.x * blockDim.x + row] * s[c];
  y[row] = sum;
}

// ---------- local arrays, constants, qualifiers, dead code ----------
__global__ void local_sorted(const int* in, int* out) {
  int a[8];
  for (int i = 0; i < 8; ++i) a[i] = in[i * 64 + threadIdx.x];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 7 - i; ++j)
      if (a[j] > a[j + 1]) { int x = a[j]; a[j] = a[j + 1]; a[j + 1] = x; }
  for (int i = 0; i < 8; ++i) out[i * 64 + threadIdx.x] = a[i];
}

__global__ void local_indexed(const int* in, int* out) {
  int bins[8] = {};
  for (int i = 0; i < 16; ++i) ++bins[in[i * 64 + threadIdx.x] & 7];
  int most = 0;
  for (int i = 1; i < 8; ++i) if (bins[i] > bins[most]) most = i;
  out[threadIdx.x] = most;
}

__global__ void through_cache(const float* in, const int* index, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __ldg(in + (index[i] & 63)) + __ldg(in + i);
}

__global__ void same_twice(const float* in, float* out, float* other) {
  int i = threadIdx.x;
  out[i] = in[i] + 1;
  other[i] = in[i] * 2;
}

__global__ void same_twice_restrict(const float* __restrict__ in, float* __restrict__ out, float* __restrict__ other) {
  int i = threadIdx.x;
  out[i] = in[i] + 1;
  other[i] = in[i] * 2;
}

__global__ void overwritten(const float* in, float* out) {
  int i = threadIdx.x;
  out[i] = 0;
  out[i] = in[i];
  out[i] = out[i] + in[i];
}

__global__ void dead_shared(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = s[threadIdx.x] * 2;
}

__global__ void constant_stored(float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 1.5f;
  for (int k = 0; k < 4; ++k) out[n + 4 * threadIdx.x + k] = 0;
}

__global__ void invariant(const float* scale, const float* in, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i] * scale[0];
}

__global__ void invariant_restrict(const float* __restrict__ scale, const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i] * scale[blockIdx.x] + scale[1];
}

__global__ void early_exit(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] < 20) return;
  out[i] = in[i] / 3;
}

__global__ void predicated(const float* in, float* out) {
  int i = threadIdx.x;
  float x = in[i];
  if (x > 30) out[i] = x;
  if (x > 60) out[i + 64] = in[i + 64];
  else if (x > 10) out[i + 128] = in[i + 128] * x;
}

__global__ void cases(const int* in, int* out) {
  int i = threadIdx.x, x = in[i];
  switch (x & 3) {
    case 0: out[i] = in[i + 64]; break;
    case 1: out[i] = in[i + 128] + 1; break;
    case 2: out[i] = x; break;
    default: out[i] = in[i + 64] * in[i + 128];
  }
}

__constant__ float kernel5[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
__global__ void convolve(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 4) return;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += in[i + k] * kernel5[k];
  out[i] = sum;
}

__constant__ float table[64] = {3, 1, 4, 1, 5, 9, 2, 6};
__global__ void look_up(const int* index, float* out) { out[threadIdx.x] = table[index[threadIdx.x] & 63]; }

__device__ int total = 5;
__global__ void through_symbol(const int* in, int* out) {
  if (threadIdx.x < 40) atomicAdd(&total, in[threadIdx.x]);
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void divided(const int* a, const int* b, int* out, float* ratio) {
  int i = threadIdx.x;
  out[i] = a[i] / (b[i] + 1) + a[i] % (b[i] + 3);
  ratio[i] = sqrtf(static_cast<float>(a[i])) / (b[i] + 1.0f);
}

__global__ void pingpong(const float* in, float* out) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  s[0][t] = in[t];
  for (int k = 0; k < 6; ++k) {
    __syncthreads();
    s[1 - k % 2][t] = 0.5f * (s[k % 2][t] + s[k % 2][(t + 1) % 64]);
  }
  __syncthreads();
  out[t] = s[0][t];
}

__global__ void odd_even(int* data, int n) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[2 * t] = data[2 * t];
  s[2 * t + 1] = data[2 * t + 1];
  for (int pass = 0; pass < n; ++pass) {
    __syncthreads();
    int i = 2 * t + pass % 2;
    if (i + 1 < 128 && s[i] > s[i + 1]) {
      int x = s[i];
      s[i] = s[i + 1];
      s[i + 1] = x;
    }
  }
  __syncthreads();
  data[2 * t] = s[2 * t];
  data[2 * t + 1] = s[2 * t + 1];
}
