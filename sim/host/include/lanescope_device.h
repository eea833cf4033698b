// Names that only device code has, declared so that a __host__ __device__ function compiles for the host;
// most have no implementation here, and a call ends the program with a sentence. Functions that the host can
// compute work.
#pragma once
#pragma GCC system_header
#include <math.h>

#include "lanescope_api.h"

static const uint3 threadIdx = {0, 0, 0};
static const uint3 blockIdx = {0, 0, 0};
static const dim3 blockDim;
static const dim3 gridDim;
static const int warpSize = 32;

#define LANESCOPE_DEVICE(type, name, parameters) \
  static inline type name parameters { lanescopeDeviceOnly(); }
LANESCOPE_DEVICE(void, __syncthreads, ())
LANESCOPE_DEVICE(int, __syncthreads_count, (int))
LANESCOPE_DEVICE(int, __syncthreads_and, (int))
LANESCOPE_DEVICE(int, __syncthreads_or, (int))
LANESCOPE_DEVICE(void, __syncwarp, (unsigned = 0xffffffffu))
LANESCOPE_DEVICE(void, __threadfence, ())
LANESCOPE_DEVICE(void, __threadfence_block, ())
LANESCOPE_DEVICE(void, __threadfence_system, ())
LANESCOPE_DEVICE(unsigned, __activemask, ())
LANESCOPE_DEVICE(unsigned, __ballot_sync, (unsigned, int))
LANESCOPE_DEVICE(int, __any_sync, (unsigned, int))
LANESCOPE_DEVICE(int, __all_sync, (unsigned, int))
LANESCOPE_DEVICE(long long, clock64, ())
LANESCOPE_DEVICE(void, __nanosleep, (unsigned))
LANESCOPE_DEVICE(void, __trap, ())

#define LANESCOPE_ATOMIC(name) \
  template <class T, class U>  \
  inline T name(T*, U) {       \
    lanescopeDeviceOnly();     \
  }
#define LANESCOPE_ATOMICS(name)  \
  LANESCOPE_ATOMIC(name)         \
  LANESCOPE_ATOMIC(name##_block) \
  LANESCOPE_ATOMIC(name##_system)
LANESCOPE_ATOMICS(atomicAdd)
LANESCOPE_ATOMICS(atomicSub)
LANESCOPE_ATOMICS(atomicMin)
LANESCOPE_ATOMICS(atomicMax)
LANESCOPE_ATOMICS(atomicAnd)
LANESCOPE_ATOMICS(atomicOr)
LANESCOPE_ATOMICS(atomicXor)
LANESCOPE_ATOMICS(atomicExch)
LANESCOPE_ATOMICS(atomicInc)
LANESCOPE_ATOMICS(atomicDec)
template <class T, class U, class V>
inline T atomicCAS(T*, U, V) {
  lanescopeDeviceOnly();
}
#define LANESCOPE_SHUFFLE(name)                     \
  template <class T>                                \
  inline T name(unsigned, T, int, int = warpSize) { \
    lanescopeDeviceOnly();                          \
  }
LANESCOPE_SHUFFLE(__shfl_sync)
LANESCOPE_SHUFFLE(__shfl_up_sync)
LANESCOPE_SHUFFLE(__shfl_down_sync)
LANESCOPE_SHUFFLE(__shfl_xor_sync)
template <class T>
inline T __ldg(const T* pointer) {
  return *pointer;
}

// Mathematics that nvcc has on the host as well.
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
// The host's library may declare these for itself.
static inline float __fdividef(float a, float b) { return a / b; }
extern "C" inline float __expf(float x) noexcept { return expf(x); }
extern "C" inline float __logf(float x) noexcept { return logf(x); }
extern "C" inline float __sinf(float x) noexcept { return sinf(x); }
extern "C" inline float __cosf(float x) noexcept { return cosf(x); }
extern "C" inline float __powf(float x, float y) noexcept { return powf(x, y); }
static inline float __saturatef(float x) { return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __mul24(int a, int b) { return a * b; }
static inline unsigned __umul24(unsigned a, unsigned b) { return a * b; }

#define LANESCOPE_MIN_MAX(T)                              \
  static inline T min(T a, T b) { return a < b ? a : b; } \
  static inline T max(T a, T b) { return a > b ? a : b; }
LANESCOPE_MIN_MAX(int)
LANESCOPE_MIN_MAX(unsigned int)
LANESCOPE_MIN_MAX(long)
LANESCOPE_MIN_MAX(unsigned long)
LANESCOPE_MIN_MAX(long long)
LANESCOPE_MIN_MAX(unsigned long long)
LANESCOPE_MIN_MAX(float)
LANESCOPE_MIN_MAX(double)
#define LANESCOPE_MIN_MAX_OF(A, B)                                    \
  static inline B min(A a, B b) { return min(static_cast<B>(a), b); } \
  static inline B min(B a, A b) { return min(a, static_cast<B>(b)); } \
  static inline B max(A a, B b) { return max(static_cast<B>(a), b); } \
  static inline B max(B a, A b) { return max(a, static_cast<B>(b)); }
LANESCOPE_MIN_MAX_OF(int, unsigned int)
LANESCOPE_MIN_MAX_OF(long, unsigned long)
LANESCOPE_MIN_MAX_OF(long long, unsigned long long)
LANESCOPE_MIN_MAX_OF(float, double)

#undef LANESCOPE_DEVICE
#undef LANESCOPE_ATOMIC
#undef LANESCOPE_ATOMICS
#undef LANESCOPE_SHUFFLE
#undef LANESCOPE_MIN_MAX
#undef LANESCOPE_MIN_MAX_OF
