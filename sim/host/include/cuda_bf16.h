// bfloat16 on the host: storage and conversions, rounded to the nearest, ties to even; arithmetic by float.
#pragma once
#pragma GCC system_header
#include "lanescope_small_float.h"

static inline unsigned short lanescopeBitsOf__nv_bfloat16(float value) {
  unsigned word;
  memcpy(&word, &value, sizeof word);
  if ((word & 0x7fffffffu) > 0x7f800000u) return 0x7fff;  // not a number
  return static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
}
static inline float lanescopeFloatOf__nv_bfloat16(unsigned short bits) {
  const unsigned word = static_cast<unsigned>(bits) << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

LANESCOPE_SMALL_FLOAT(__nv_bfloat16, bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
