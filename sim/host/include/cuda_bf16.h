// bfloat16 on the host: storage and conversions, rounded to the nearest, ties to even; arithmetic by float.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
  __nv_bfloat16(float value) : bits(fromFloat(value)) {}
  __nv_bfloat16(double value) : bits(fromFloat(static_cast<float>(value))) {}
  __nv_bfloat16(int value) : bits(fromFloat(static_cast<float>(value))) {}
  operator float() const { return toFloat(bits); }
  operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{bits}; }
  __nv_bfloat16& operator+=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) + float(other));
  }
  __nv_bfloat16& operator-=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) - float(other));
  }
  __nv_bfloat16& operator*=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) * float(other));
  }
  __nv_bfloat16& operator/=(__nv_bfloat16 other) {
    return *this = __nv_bfloat16(float(*this) / float(other));
  }

  static unsigned short fromFloat(float value) {
    unsigned word;
    memcpy(&word, &value, sizeof word);
    if ((word & 0x7fffffffu) > 0x7f800000u) return 0x7fff;  // not a number
    return static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
  }
  static float toFloat(unsigned short bits) {
    const unsigned word = static_cast<unsigned>(bits) << 16;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
  }
};
typedef __nv_bfloat16 nv_bfloat16;

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat162 nv_bfloat162;

static inline __nv_bfloat16 __float2bfloat16(float value) { return __nv_bfloat16(value); }
static inline __nv_bfloat16 __float2bfloat16_rn(float value) { return __nv_bfloat16(value); }
static inline __nv_bfloat16 __double2bfloat16(double value) { return __nv_bfloat16(value); }
static inline float __bfloat162float(__nv_bfloat16 value) { return float(value); }
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162{x, y}; }
static inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(y)};
}
static inline __nv_bfloat162 __float2bfloat162_rn(float value) { return __floats2bfloat162_rn(value, value); }
static inline float2 __bfloat1622float2(__nv_bfloat162 value) {
  return make_float2(float(value.x), float(value.y));
}
