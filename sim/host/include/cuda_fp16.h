// 16-bit floats on the host: storage and conversions, rounded to the nearest, ties to even; arithmetic by
// float.
#pragma once
#pragma GCC system_header
#include "lanescope_small_float.h"

static inline unsigned short lanescopeBitsOf__half(float value) {
  unsigned word;
  memcpy(&word, &value, sizeof word);
  const unsigned sign = word >> 16 & 0x8000u, magnitude = word & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;  // not a number
  if (magnitude >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
  const unsigned exponent = magnitude >> 23;
  if (exponent < 102) return static_cast<unsigned short>(sign);
  const unsigned mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  const unsigned shift = exponent < 113 ? 126 - exponent : 13;
  const unsigned kept =
      exponent < 113 ? mantissa >> shift : (mantissa & 0x7fffffu) >> 13 | (exponent - 112) << 10;
  const unsigned rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
  const unsigned up = rest > half || (rest == half && (kept & 1u) != 0) ? 1 : 0;
  return static_cast<unsigned short>(sign | (kept + up));
}
static inline float lanescopeFloatOf__half(unsigned short bits) {
  const unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, mantissa = bits & 1023u;
  if (exponent == 0) return (sign != 0 ? -1.0f : 1.0f) * static_cast<float>(mantissa) * (1.0f / 16777216.0f);
  const unsigned word = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | mantissa << 13;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

LANESCOPE_SMALL_FLOAT(__half, half)
typedef __half half;
typedef __half2 half2;

static inline __half __int2half_rn(int value) { return __half(value); }
static inline __half2 __halves2half2(__half x, __half y) { return __half2{x, y}; }
static inline __half __low2half(__half2 value) { return value.x; }
static inline __half __high2half(__half2 value) { return value.y; }
static inline float __low2float(__half2 value) { return float(value.x); }
static inline float __high2float(__half2 value) { return float(value.y); }
