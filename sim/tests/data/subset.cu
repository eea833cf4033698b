// One kernel for each part of the subset of CUDA C++, all of the form k(out) over 2 blocks of 64 threads.
// h200-subset.jsonl holds the FNV-1a hash of what each left in `out` (128 unsigned, zero before) on an
// NVIDIA H200, compiled by nvcc with -fmad=false; sim/tests/subset_test.cpp holds the simulator to it.
#include <cassert>
#include <cfloat>
#include <cmath>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

namespace cg = cooperative_groups;

#define SLOT out[blockIdx.x * blockDim.x + threadIdx.x]
#define SQUARE(x) ((x) * (x))
#define MAX3(a, b, c) max(a, max(b, c))
#ifdef __CUDACC__
#define OFFSET 7
#else
#define OFFSET 9
#endif
#if defined(OFFSET) && OFFSET > 5 && !defined(NOT_THERE)
#define CHOSEN 1
#elif OFFSET == 3
#define CHOSEN 2
#else
#define CHOSEN 3
#endif

struct Pair {
  float value;
  int index;
};

struct Nested {
  Pair best;
  unsigned counts[3];
  char tag;
};

enum Mode { kSum, kProduct = 4, kLast };
enum class Color : unsigned { kRed = 1, kBlue };
using Word = unsigned int;
typedef struct {
  double x, y;
} Point;
constexpr int kTile = 8;

__device__ __forceinline__ unsigned mix(unsigned x) { return x * 2654435761u ^ x >> 7; }
__device__ float twice(float x) { return 2.0f * x; }
__device__ int twice(int x) { return x << 1; }
__device__ unsigned twice(unsigned x, unsigned plus = 5) { return x * 2 + plus; }
__host__ __device__ inline Pair better(Pair a, const Pair& b) { return a.value < b.value ? b : a; }
__device__ void swapThem(unsigned& a, unsigned& b) {
  unsigned t = a;
  a = b;
  b = t;
}
__device__ unsigned sumOf(const unsigned* values, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}
template <typename T>
__device__ T larger(T a, T b) {
  return a < b ? b : a;
}
template <typename T, int N>
__device__ T power(T x) {
  T result = 1;
#pragma unroll
  for (int i = 0; i < N; ++i) result *= x;
  return result;
}
template <bool Doubles>
__device__ unsigned chosen(unsigned x) {
  if constexpr (Doubles) {
    return x * 2;
  } else {
    return x + 1;
  }
}

__global__ void narrow_integers(unsigned* out) {
  int i = threadIdx.x - 20;
  char c = static_cast<char>(i * 9);
  unsigned char u = (unsigned char)(i * 9);
  short s = short(i * 3000);
  unsigned short v = (unsigned short)(i * 3000);
  bool b = i;
  c += 5;
  u -= 200;
  s *= 3;
  SLOT = mix(c) + mix(u) + mix(s) + mix(v) + b + (c > u) + (s < v) + sizeof(s);
}

__global__ void wide_integers(unsigned* out) {
  long long a = (long long)threadIdx.x * 12345678901ll - 400000000000ll;
  unsigned long long b = 0xffffffffffffffffull / (threadIdx.x + 1);
  size_t c = threadIdx.x;
  long long q = a / 1000003 + a % 77 + (a >> 5) + (long long)(b >> 40);
  SLOT = mix((unsigned)(q ^ q >> 32)) + (unsigned)(b * c >> 33) + (a < 0) + (unsigned)__popcll(b) + __clzll(b) +
         __ffsll(b << 13);
}

__global__ void floating(unsigned* out) {
  float x = threadIdx.x * 0.37f - 5.0f;
  double y = x;
  y = y * y - 1.0 / 3;
  float z = (float)(y / (x + 0.25));
  int whole = (int)z;
  SLOT = mix(__float_as_uint(z)) + whole + (unsigned)(long long)(y * 1000) + (z > x) + (z != z);
}

__global__ void vectors(unsigned* out) {
  float4 v = make_float4(threadIdx.x, 2.0f, 3.5f, -1.0f);
  v.y += v.x * 0.5f;
  float4 w = v;
  w.z = w.x - v.y;
  int2 p = {(int)v.x, 7};
  uint3 q{1u, p.x + 3u};
  double2 d = make_double2(v.x, w.z);
  int3 r = make_int3(p.y, p.x, 4);
  uchar4 b = make_uchar4(r.x, 300 & 255, r.z, p.x);
  SLOT = mix(__float_as_uint(v.x + v.y * v.z + v.w + w.z)) + q.x + q.y * 3 + q.z + (int)d.x - (int)d.y + r.x * r.y +
         b.x + b.w + sizeof(float3) + sizeof(float4);
}

__global__ void vectors_in_memory(unsigned* out) {
  __shared__ float4 s[64];
  __shared__ double2 d[32];
  __shared__ uchar4 bytes[64];
  int tid = threadIdx.x;
  s[tid] = make_float4(tid, tid + 1, tid + 2, tid + 3);
  if (tid < 32) d[tid] = make_double2(tid, -tid);
  bytes[tid] = make_uchar4(tid, tid * 2, tid * 3, 255);
  __syncthreads();
  float4 a = s[63 - tid];
  const float* flat = reinterpret_cast<const float*>(s);
  float2 b = *(float2*)&flat[(tid * 2) % 254];
  double2 c = d[tid % 32];
  uchar4 e = bytes[tid ^ 1];
  __syncthreads();
  s[tid].y += a.z;
  SLOT = (unsigned)(a.x + a.y * 3 + a.w) + (unsigned)(b.x * b.y) + (unsigned)(int)(c.x * 5 + c.y) + e.x + e.y + e.w +
         (unsigned)s[tid].y;
}

__global__ void structs(unsigned* out) {
  Pair a = {threadIdx.x * 1.5f, 3};
  Pair b;
  b.value = 40.0f;
  b.index = (int)threadIdx.x;
  Pair c = better(a, b);
  Nested n{c, {1u, 2u}, 'x'};
  n.counts[threadIdx.x % 3] += 10;
  Nested m = n;
  m.best.index -= 2;
  Pair* p = &m.best;
  p->value += 1;
  Point point;
  point.x = c.value;
  point.y = point.x * 2;
  SLOT = (unsigned)(m.best.value * 2) + m.best.index * 5 + n.counts[0] * 7 + n.counts[1] * 11 + n.counts[2] * 13 +
         m.tag + (unsigned)point.y + sizeof(Nested);
}

__global__ void structs_in_memory(unsigned* out) {
  __shared__ Pair pairs[64];
  __shared__ Nested one;
  __shared__ unsigned total;
  unsigned tid = threadIdx.x;
  pairs[tid] = Pair{(float)(tid * 37 % 64), (int)tid};
  if (tid == 0) {
    total = 0;
    one.best = {-1.0f, -1};
    one.counts[2] = 9;
    one.tag = 'q';
  }
  __syncthreads();
  for (int step = 32; step > 0; step >>= 1) {
    if (tid < step) pairs[tid] = better(pairs[tid], pairs[tid + step]);
    __syncthreads();
  }
  if (tid == 5) one.best = pairs[0];
  if (tid == 6) total = one.counts[2] + one.tag;
  __syncthreads();
  SLOT = one.best.index * 100 + (unsigned)one.best.value + total;
}

__global__ void local_arrays(unsigned* out) {
  unsigned counts[4] = {1, 2};
  int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  short small[5];
  double wide[3];
  float cube[2][2][2] = {};
  unsigned tid = threadIdx.x;
  for (int i = 0; i < 9; ++i) counts[(tid + i) % 4] += i;
  for (int i = 0; i < 5; ++i) small[i] = (short)(i * tid);
  for (int i = 0; i < 3; ++i) wide[i] = i + tid * 0.5;
  grid[tid % 2][tid % 3] = -8;
  cube[tid & 1][tid >> 1 & 1][tid >> 2 & 1] = tid;
  unsigned* p = counts + 1;
  p[1] ^= 21;
  unsigned hash = 0;
  for (int i = 0; i < 4; ++i) hash = mix(hash + counts[i]);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) hash = mix(hash + grid[i][j]);
  for (int i = 0; i < 8; ++i) hash += (unsigned)cube[i >> 2][i >> 1 & 1][i & 1] * i;
  SLOT = hash + small[3] + small[tid % 5] + (unsigned)(wide[2] + wide[tid % 3]) + sumOf(counts, 4);
}

__global__ void references(unsigned* out) {
  unsigned a = threadIdx.x, b = 100;
  if (a % 3 == 1) swapThem(a, b);
  unsigned& alias = b;
  alias += 7;
  const unsigned& fixed = a;
  unsigned* p = &a;
  *p += 1;
  auto c = fixed * 2u;
  SLOT = a * 1000 + b + c;
}

__global__ void overloads(unsigned* out) {
  float f = threadIdx.x;
  int i = threadIdx.x;
  unsigned u = threadIdx.x;
  SLOT = (unsigned)twice(f + 0.25f) + twice(-i) + twice(u) + twice(u, 9u) + larger(i, 40) + (unsigned)larger(f, 3.5f) +
         larger<unsigned>(u, 20) + power<unsigned, 3>(u) + chosen<true>(u) + chosen<false>(u);
}

__global__ void macros(unsigned* out) { SLOT = SQUARE(threadIdx.x + 1) + MAX3(3u, threadIdx.x, OFFSET) + CHOSEN; }

__global__ void enums(unsigned* out) {
  Mode mode = threadIdx.x % 2 ? kProduct : kLast;
  Color color = threadIdx.x % 3 ? Color::kRed : Color::kBlue;
  Word word = mode == kProduct ? 10u : 20u;
  SLOT = word + mode * 100 + (color == Color::kBlue ? 1000 : 0) + kSum + kTile;
}

__global__ void switches(unsigned* out) {
  unsigned tid = threadIdx.x;
  unsigned result = 0;
  for (int i = 0; i < 6; ++i) {
    switch ((tid + i) % 7) {
      case 0: result += 1; break;
      case 1: result += 10;  // falls through
      case 2: result += 100; break;
      case 5:
        if (tid & 1) continue;
        result += 1000;
        break;
      default: result ^= i;
      case 3: result *= 3;
    }
    if (result > 100000) return;
  }
  SLOT = result;
}

__global__ void loops(unsigned* out) {
  unsigned tid = threadIdx.x, n = 0, x = tid + 1;
  while (x != 1 && n < 40) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++n;
  }
  int k = 0;
  do {
    k += 3;
    if (k % 5 == 0) break;
  } while (k < (int)tid);
  for (unsigned i = 0, j = 10; i < j; i++, j--) {
    if (i == tid % 6) continue;
    n += i * j;
  }
  SLOT = n * 100 + k;
}

__global__ void expressions(unsigned* out) {
  int i = threadIdx.x;
  int a = i, b = 3;
  int c = a++ + ++b;
  c += (a > 5 && b++ > 0) ? a : -b;
  c <<= 2;
  c ^= a | b & ~i;
  c -= (a, b);
  unsigned bits = __brev(i) >> 20 | __popc(i * 77) << 3;
  c += __ffs(i) + __clz(i + 1) + abs(i - 30) + min(i, 12) + max(a, b);
  char letter = 'A' + i % 26;
  SLOT = (unsigned)c + bits + letter + (i == 3 || i / (i + 1) == 0 ? 1 : 0) + 0x10 + 0b101 + 1'000;
}

__global__ void mathematics(unsigned* out) {
  float x = threadIdx.x * 0.5f + 0.25f;
  double y = x * 3.0;
  unsigned exact = __float_as_uint(sqrtf(x)) ^ __float_as_uint(__fmaf_rn(x, x, -1.0f)) ^
                   __float_as_uint(floorf(x) + ceilf(x) + truncf(-x) + rintf(x) + fabsf(-x)) ^
                   __float_as_uint(fminf(x, 7.0f) + fmaxf(x, 2.0f));
  double root = sqrt(y) + fabs(-y) + fma(y, y, 0.5) + fmax(y, 1.0);
  // Within an ulp or two of the exact value: compared after rounding to a few digits.
  unsigned rough = (unsigned)(expf(x * 0.1f) * 1000) + (unsigned)(logf(x) * 1000 + 5000) +
                   (unsigned)(sinf(x) * 1000 + 2000) + (unsigned)(cosf(x) * 1000 + 2000) +
                   (unsigned)(powf(x, 1.3f) * 100) + (unsigned)(rsqrtf(x) * 1000) + (unsigned)(exp(-y) * 1000);
  SLOT = exact + (unsigned)(root * 4096) + (rough > 3 ? 1 : 0);
}

__global__ void atomics_shared(unsigned* out) {
  __shared__ unsigned s[16];
  __shared__ int low;
  __shared__ float sum;
  __shared__ unsigned long long big;
  unsigned tid = threadIdx.x;
  if (tid < 16) s[tid] = tid;
  if (tid == 0) {
    low = 1000;
    sum = 0;
    big = 1ull << 40;
  }
  __syncthreads();
  atomicAdd(&s[tid % 4], tid);
  atomicSub(&s[4], 2u);
  atomicMax(&s[5], tid * 3);
  atomicMin(&low, 50 - (int)tid);
  atomicAnd(&s[6], ~(1u << tid % 3));
  atomicOr(&s[7], 1u << tid % 32);
  atomicXor(&s[8], tid);
  atomicInc(&s[9], 20);
  atomicDec(&s[10], 30);
  atomicAdd(&sum, 0.5f * tid);
  atomicAdd(&big, (unsigned long long)tid << 20);
  if (tid == 33) atomicExch(&s[11], 77u);
  if (tid == 34) s[12] = atomicCAS(&s[13], 13u, 99u);
  __syncthreads();
  SLOT = s[tid % 16] + low + (unsigned)sum + (unsigned)(big >> 20);
}

__global__ void atomics_global(unsigned* out) {
  atomicAdd(&out[threadIdx.x % 8], threadIdx.x);
  atomicMax(&out[8 + threadIdx.x % 4], threadIdx.x * 7);
  atomicAdd((float*)out + 16, 1.5f);
  atomicOr(out + 17, 1u << blockIdx.x);
  atomicAdd((int*)out + 18, -3);
}

__global__ void ballots(unsigned* out) {
  unsigned tid = threadIdx.x;
  unsigned all = 0xffffffffu;
  unsigned odd = __ballot_sync(all, tid % 3 == 1);
  int any = __any_sync(all, tid == 40), every = __all_sync(all, tid < 64);
  unsigned same = __match_any_sync(all, tid % 5);
  unsigned sum = __reduce_add_sync(all, tid * 3), least = __reduce_min_sync(all, tid ^ 21);
  int most = __reduce_max_sync(all, (int)tid - 100);
  unsigned both = __reduce_and_sync(all, tid | 8), one = __reduce_or_sync(all, tid & 5),
           parity = __reduce_xor_sync(all, mix(tid));
  unsigned here = 0;
  if (tid & 1) {
    here = __activemask();
    here += __ballot_sync(0xaaaaaaaau, tid > 20);
  }
  SLOT = odd + any * 3 + every * 5 + same * 7 + sum + least + most + both + one * 9 + parity + here;
}

__global__ void shuffles(unsigned* out) {
  unsigned tid = threadIdx.x;
  unsigned all = 0xffffffff;
  float x = tid * 1.5f;
  double d = tid * 0.25;
  long long l = (long long)tid << 33;
  unsigned a = __shfl_sync(all, tid, 5) + __shfl_sync(all, tid, 3, 8);
  unsigned b = __shfl_up_sync(all, tid, 3) + __shfl_up_sync(all, tid, 1, 4);
  float c = __shfl_down_sync(all, x, 2) + __shfl_down_sync(all, x, 5, 16);
  double e = __shfl_xor_sync(all, d, 9);
  long long f = __shfl_xor_sync(all, l, 1, 2);
  SLOT = a * 3 + b * 5 + (unsigned)(c * 2) + (unsigned)(e * 4) + (unsigned)(f >> 30);
}

__global__ void counted_barriers(unsigned* out) {
  unsigned tid = threadIdx.x;
  int n = __syncthreads_count(tid % 5 == blockIdx.x);
  int all = __syncthreads_and(tid < 64), any = __syncthreads_or(tid == 200);
  SLOT = n * 100 + all * 10 + any;
}

__global__ void groups(unsigned* out) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
  float x = block.thread_rank() * 0.5f;
  for (int o = warp.size() / 2; o > 0; o /= 2) x += warp.shfl_down(x, o);
  int total = cg::reduce(warp, (int)threadIdx.x, cg::plus<int>());
  float most = cg::reduce(eight, threadIdx.x * 1.25f, cg::greater<float>());
  unsigned low = cg::reduce(eight, mix(threadIdx.x), cg::less<unsigned>());
  unsigned odd = eight.ballot(eight.thread_rank() & 1);
  block.sync();
  warp.sync();
  cg::sync(eight);
  SLOT = (unsigned)x + total * 3 + (unsigned)most + low + odd + eight.meta_group_rank() * 1000 + warp.meta_group_size() +
         block.size() + eight.shfl(threadIdx.x, 2) + eight.any(threadIdx.x == 9) + warp.all(threadIdx.x < 50);
}

__global__ void early_return(unsigned* out) {
  if (threadIdx.x % 4 == 3) return;
  unsigned x = 5;
  if (threadIdx.x > 40) {
    x = 9;
    if (threadIdx.x % 2) return;
  }
  __syncwarp(__activemask());
  SLOT = x + __popc(__activemask());
}

__global__ void pointers(unsigned* out) {
  __shared__ unsigned s[64];
  unsigned* mine = out + blockIdx.x * blockDim.x;
  unsigned* p = s + threadIdx.x;
  *p = threadIdx.x * 2;
  __syncthreads();
  const unsigned* end = s + 64;
  unsigned sum = 0;
  for (const unsigned* q = p; q < end; q += 16) sum += *q;
  long long distance = end - p;
  unsigned char* bytes = reinterpret_cast<unsigned char*>(p);
  bool isNull = p == nullptr;
  mine[threadIdx.x] = sum + (unsigned)distance + bytes[0] + isNull + (p != 0) + *(s + 3) + (&s[9])[-1];
}

__global__ void dynamic_shared(unsigned* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* values = reinterpret_cast<float*>(raw);
  int* keys = (int*)(values + 64);
  values[threadIdx.x] = threadIdx.x * 2.0f;
  keys[63 - threadIdx.x] = threadIdx.x;
  __syncthreads();
  SLOT = (unsigned)values[keys[threadIdx.x]] + keys[5];
}

__global__ void prints(unsigned* out) {
  assert(blockDim.x == 64);
  if (threadIdx.x == 3) printf("block %d: %5.2f %x %c\n", blockIdx.x, 1.5, 255u, 'z');
  SLOT = 1;
}

template <unsigned blockSize, typename T>
__global__ void templated(unsigned* out) {
  __shared__ T s[blockSize];
  s[threadIdx.x] = (T)threadIdx.x;
  __syncthreads();
  if constexpr (blockSize >= 64) {
    if (threadIdx.x < 32) s[threadIdx.x] += s[threadIdx.x + 32];
    __syncthreads();
  }
  SLOT = (unsigned)s[threadIdx.x / 2] + power<T, 2>(3) + sizeof(T);
}

__global__ void rounded_arithmetic(unsigned* out) {
  int i = threadIdx.x - 31;
  float x = i * 0.37f + 0.1f;
  float y = x * x + 0.7f;
  double a = x;
  double b = y;
  unsigned sum = __float_as_uint(__fadd_rz(x, y)) + __float_as_uint(__fadd_ru(x, y)) * 3 +
                 __float_as_uint(__fsub_rd(x, y)) * 5 + __float_as_uint(__fmul_ru(x, y)) * 7 +
                 __float_as_uint(__fdiv_rd(x, y)) * 11 + __float_as_uint(__fdiv_rn(x, y)) * 13 +
                 __float_as_uint(__frcp_rz(y)) * 17 + __float_as_uint(__fsqrt_ru(y)) * 19 +
                 __float_as_uint(__fsqrt_rn(y)) * 23 + __float_as_uint(__fmaf_rd(x, y, 0.3f)) * 29;
  long long wide = __double_as_longlong(__dadd_ru(a, b)) ^ __double_as_longlong(__dmul_rd(a, b)) * 3 ^
                   __double_as_longlong(__ddiv_rz(a, b)) * 5 ^ __double_as_longlong(__dsqrt_ru(b)) * 7 ^
                   __double_as_longlong(__fma_rz(a, b, 0.3)) * 11 ^ __double_as_longlong(__drcp_rn(b)) * 13;
  SLOT = sum + (unsigned)wide + (unsigned)(wide >> 32);
}

__global__ void rounded_conversions(unsigned* out) {
  int i = threadIdx.x - 31;
  float x = i * 0.37f + 0.1f;
  double y = i * 1.0e9 + 0.5;
  unsigned sum = __float2int_rn(x) + __float2int_rd(x) * 3 + __float2int_ru(x) * 5 + __float2int_rz(x) * 7;
  sum += __float2uint_rn(x) * 11 + __double2int_rn(y) * 13 + __double2uint_rd(y) * 17;
  long long wide = __double2ll_rn(y) + __float2ll_ru(x * 1e10f) * 3 + (long long)__double2ull_rz(y) * 5;
  sum += __float_as_uint(__int2float_rz(i * 12345677)) + __float_as_uint(__uint2float_ru(i * 12345677u)) * 3 +
         __float_as_uint(__ll2float_rd(i * 123456789012345ll)) * 5 + __float_as_uint(__double2float_rd(y / 3)) * 7;
  wide += __double_as_longlong(__ll2double_ru(i * 123456789012345677ll)) +
          __double_as_longlong(__hiloint2double(__double2hiint(y), __double2loint(y) ^ 1));
  SLOT = sum + (unsigned)wide + (unsigned)(wide >> 32) + (unsigned)lrintf(x) + (unsigned)llround(y) + ilogbf(x) +
         __float_as_uint(ldexpf(x, i)) + __float_as_uint(__saturatef(x)) + __float_as_uint(nextafterf(x, 9.0f));
}

__global__ void integer_intrinsics(unsigned* out) {
  int i = threadIdx.x * 77773 - 2000000;
  unsigned u = threadIdx.x * 2654435761u;
  long long w = (long long)i * 123456789123ll;
  unsigned sum = __mul24(i, i + 5) + __umul24(u, u >> 3) + __mulhi(i, i * 77) + __umulhi(u, u + 9) * 3;
  long long high = __mul64hi(w, w + 1) + (long long)__umul64hi((unsigned long long)w, u * 77777777777ull) * 3;
  sum += __sad(i, (int)u, 7u) + __usad(u, 99u, 3u) + __hadd(i, (int)u) * 5 + __rhadd(i, 7) + __uhadd(u, u + 3) +
         __urhadd(u, 11u);
  sum += __byte_perm(u, (unsigned)i, 0x3715 + threadIdx.x % 8) + __funnelshift_l(u, (unsigned)i, threadIdx.x) * 3 +
         __funnelshift_r(u, (unsigned)i, threadIdx.x) * 5 + __funnelshift_lc(u, (unsigned)i, threadIdx.x) * 7 +
         __funnelshift_rc(u, (unsigned)i, threadIdx.x) * 11;
  SLOT = sum + (unsigned)high + (unsigned)(high >> 32);
}

__global__ void memory_functions(unsigned* out) {
  __shared__ unsigned s[64];
  __shared__ float2 sums;
  unsigned mine[3];
  float x = threadIdx.x * 0.25f;
  memset(mine, 0x5a, sizeof(mine));
  memcpy(&mine[1], &x, sizeof(x));
  memcpy(&s[63 - threadIdx.x], &mine[1], 4);
  if (threadIdx.x == 0) sums = make_float2(0, 0);
  __syncthreads();
  atomicAdd_block(&sums.x, 1.0f);
  int same, other;
  unsigned all = __match_all_sync(0xffffffffu, threadIdx.x / 32, &same);
  unsigned none = __match_all_sync(0xffffffffu, threadIdx.x, &other);
  double whole;
  float fraction = (float)modf(x + 0.125, &whole);
  int exponent;
  float mantissa = frexpf(x + 1, &exponent);
  __syncthreads();
  __stcs(&SLOT, s[threadIdx.x] + mine[0] + mine[2] * 3 + (unsigned)sums.x + all + same + none + other * 2 +
                    (unsigned)whole + __float_as_uint(fraction) + __float_as_uint(mantissa) + exponent);
  SLOT = __ldcg(&SLOT) + 1 + (unsigned)(M_PI * 1000) + (unsigned)(CUDART_PI_F * 100) + (CUDART_INF_F > FLT_MAX);
}

__global__ void halves(unsigned* out) {
  unsigned short bits = (unsigned short)(mix(threadIdx.x * 7919u + blockIdx.x) & 0xffffu);
  unsigned short more = (unsigned short)(mix(threadIdx.x * 104729u + 5) & 0x7bffu);
  __half a = __ushort_as_half((unsigned short)(bits & 0xbfffu));  // finite
  __half b = __ushort_as_half((unsigned short)(more & 0x3fffu));
  __half c = __float2half(threadIdx.x * 0.3f - 7);
  unsigned sum = __half_as_ushort(__hadd(a, b)) + __half_as_ushort(__hsub(a, c)) * 3 +
                 __half_as_ushort(__hmul(a, c)) * 5 + __half_as_ushort(__hfma(a, b, c)) * 7 +
                 __half_as_ushort(a / c) * 11 + __half_as_ushort(__hadd_sat(b, c)) * 13 +
                 __half_as_ushort(__hmax(a, c)) * 17 + __half_as_ushort(-a) * 19 + (a < c) + (b >= c) * 2;
  sum += __half_as_ushort(hsqrt(b)) * 23 + __half_as_ushort(hfloor(c)) * 29 + __half_as_ushort(hrint(c)) * 31;
  sum += __half_as_ushort(__float2half_rz(threadIdx.x * 1.7f)) + __half_as_ushort(__float2half_ru(threadIdx.x * 1.7f)) * 3 +
         __half_as_ushort(__double2half(threadIdx.x * 1234.567)) * 5 + __half_as_ushort(__int2half_rd(threadIdx.x * 777)) * 7;
  sum += __half2int_rn(c) + __half2int_rd(c) * 3 + (unsigned)__half2uint_rz(b) * 5;
  __half2 p = __floats2half2_rn(threadIdx.x * 0.1f, -1.5f);
  p = __hfma2(p, __halves2half2(a, b), __half2half2(c));
  p = __shfl_xor_sync(0xffffffffu, p, 3);
  float2 f = __half22float2(p);
  SLOT = sum + __float_as_uint(f.x) + __float_as_uint(f.y) * 3 + __float_as_uint(__low2float(p)) +
         __half_as_ushort(__shfl_down_sync(0xffffffffu, c, 5));
}

__global__ void bfloats(unsigned* out) {
  unsigned short bits = (unsigned short)(mix(threadIdx.x * 7919u + blockIdx.x) & 0xbfffu);
  __nv_bfloat16 a = __ushort_as_bfloat16(bits);
  __nv_bfloat16 b = __float2bfloat16(threadIdx.x * 0.3f - 7);
  __nv_bfloat16 c = __float2bfloat16_rz(threadIdx.x * 1.7f);
  unsigned sum = __bfloat16_as_ushort(__hadd(a, b)) + __bfloat16_as_ushort(__hsub(b, c)) * 3 +
                 __bfloat16_as_ushort(__hmul(a, b)) * 5 + __bfloat16_as_ushort(__hfma(b, c, a)) * 7 +
                 __bfloat16_as_ushort(__hmin(b, c)) * 13 + (b < c) + __bfloat16_as_ushort(__habs(b)) * 19;
  __nv_bfloat162 p = __floats2bfloat162_rn(threadIdx.x * 0.1f, -1.5f);
  p = __hadd2(__hmul2(p, __halves2bfloat162(b, c)), p);
  SLOT = sum + __float_as_uint(__bfloat162float(c)) + __bfloat16_as_ushort(p.x) * 3 + __bfloat16_as_ushort(p.y) * 5;
}

__global__ void half_atomics(unsigned* out) {
  __shared__ __half sums[2];
  if (threadIdx.x < 2) sums[threadIdx.x] = __float2half(0.0f);
  __syncthreads();
  atomicAdd(&sums[threadIdx.x % 2], __float2half(1.0f));
  __syncthreads();
  SLOT = __half_as_ushort(sums[0]) + __half_as_ushort(sums[1]) * 3;
}

__global__ void complex_numbers(unsigned* out) {
  cuFloatComplex a = make_cuFloatComplex(threadIdx.x, 1.5f);
  cuDoubleComplex b = make_cuDoubleComplex(0.25 * threadIdx.x, -2);
  a = cuCaddf(cuCmulf(a, a), cuConjf(a));
  b = cuCsub(cuCmul(b, b), b);
  SLOT = __float_as_uint(cuCrealf(a)) + __float_as_uint(cuCimagf(a)) * 3 + (unsigned)cuCreal(b) + (unsigned)cuCimag(b);
}
