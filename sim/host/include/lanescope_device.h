// What only device code has, declared so that a __host__ __device__ function compiles for the host; there is
// nothing to call there, and a call ends the program with a sentence. What the host can compute, it does.
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
LANESCOPE_ATOMIC(atomicAdd)
LANESCOPE_ATOMIC(atomicAdd_block)
LANESCOPE_ATOMIC(atomicAdd_system)
LANESCOPE_ATOMIC(atomicSub)
LANESCOPE_ATOMIC(atomicSub_block)
LANESCOPE_ATOMIC(atomicSub_system)
LANESCOPE_ATOMIC(atomicMin)
LANESCOPE_ATOMIC(atomicMin_block)
LANESCOPE_ATOMIC(atomicMin_system)
LANESCOPE_ATOMIC(atomicMax)
LANESCOPE_ATOMIC(atomicMax_block)
LANESCOPE_ATOMIC(atomicMax_system)
LANESCOPE_ATOMIC(atomicAnd)
LANESCOPE_ATOMIC(atomicAnd_block)
LANESCOPE_ATOMIC(atomicAnd_system)
LANESCOPE_ATOMIC(atomicOr)
LANESCOPE_ATOMIC(atomicOr_block)
LANESCOPE_ATOMIC(atomicOr_system)
LANESCOPE_ATOMIC(atomicXor)
LANESCOPE_ATOMIC(atomicXor_block)
LANESCOPE_ATOMIC(atomicXor_system)
LANESCOPE_ATOMIC(atomicExch)
LANESCOPE_ATOMIC(atomicExch_block)
LANESCOPE_ATOMIC(atomicExch_system)
LANESCOPE_ATOMIC(atomicInc)
LANESCOPE_ATOMIC(atomicInc_block)
LANESCOPE_ATOMIC(atomicInc_system)
LANESCOPE_ATOMIC(atomicDec)
LANESCOPE_ATOMIC(atomicDec_block)
LANESCOPE_ATOMIC(atomicDec_system)
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

static inline int min(int a, int b) { return a < b ? a : b; }
static inline unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
static inline long min(long a, long b) { return a < b ? a : b; }
static inline unsigned long min(unsigned long a, unsigned long b) { return a < b ? a : b; }
static inline long long min(long long a, long long b) { return a < b ? a : b; }
static inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline float min(float a, float b) { return a < b ? a : b; }
static inline double min(double a, double b) { return a < b ? a : b; }
static inline unsigned int min(int a, unsigned int b) {
  return min(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
static inline unsigned int min(unsigned int a, int b) {
  return min(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
static inline unsigned long min(long a, unsigned long b) {
  return min(static_cast<unsigned long>(a), static_cast<unsigned long>(b));
}
static inline unsigned long min(unsigned long a, long b) {
  return min(static_cast<unsigned long>(a), static_cast<unsigned long>(b));
}
static inline unsigned long long min(long long a, unsigned long long b) {
  return min(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
}
static inline unsigned long long min(unsigned long long a, long long b) {
  return min(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
}
static inline double min(float a, double b) { return min(static_cast<double>(a), static_cast<double>(b)); }
static inline double min(double a, float b) { return min(static_cast<double>(a), static_cast<double>(b)); }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
static inline long max(long a, long b) { return a > b ? a : b; }
static inline unsigned long max(unsigned long a, unsigned long b) { return a > b ? a : b; }
static inline long long max(long long a, long long b) { return a > b ? a : b; }
static inline unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
static inline float max(float a, float b) { return a > b ? a : b; }
static inline double max(double a, double b) { return a > b ? a : b; }
static inline unsigned int max(int a, unsigned int b) {
  return max(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
static inline unsigned int max(unsigned int a, int b) {
  return max(static_cast<unsigned int>(a), static_cast<unsigned int>(b));
}
static inline unsigned long max(long a, unsigned long b) {
  return max(static_cast<unsigned long>(a), static_cast<unsigned long>(b));
}
static inline unsigned long max(unsigned long a, long b) {
  return max(static_cast<unsigned long>(a), static_cast<unsigned long>(b));
}
static inline unsigned long long max(long long a, unsigned long long b) {
  return max(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
}
static inline unsigned long long max(unsigned long long a, long long b) {
  return max(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
}
static inline double max(float a, double b) { return max(static_cast<double>(a), static_cast<double>(b)); }
static inline double max(double a, float b) { return max(static_cast<double>(a), static_cast<double>(b)); }

#undef LANESCOPE_DEVICE
#undef LANESCOPE_ATOMIC
#undef LANESCOPE_SHUFFLE
