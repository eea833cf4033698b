// The common part of cuda_fp16.h and cuda_bf16.h: a type, its pair and their conversions, with `WORD` in
// their names.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#define LANESCOPE_SMALL_FLOAT(TYPE, WORD)                                                                \
  struct TYPE##_raw {                                                                                    \
    unsigned short x;                                                                                    \
  };                                                                                                     \
  struct alignas(2) TYPE {                                                                               \
    unsigned short bits;                                                                                 \
    TYPE() = default;                                                                                    \
    TYPE(TYPE##_raw raw) : bits(raw.x) {}                                                                \
    TYPE(float value) : bits(lanescopeBitsOf##TYPE(value)) {}                                            \
    TYPE(double value) : bits(lanescopeBitsOf##TYPE(static_cast<float>(value))) {}                       \
    TYPE(int value) : bits(lanescopeBitsOf##TYPE(static_cast<float>(value))) {}                          \
    operator float() const { return lanescopeFloatOf##TYPE(bits); }                                      \
    operator TYPE##_raw() const { return TYPE##_raw{bits}; }                                             \
    TYPE& operator+=(TYPE other) { return *this = TYPE(float(*this) + float(other)); }                   \
    TYPE& operator-=(TYPE other) { return *this = TYPE(float(*this) - float(other)); }                   \
    TYPE& operator*=(TYPE other) { return *this = TYPE(float(*this) * float(other)); }                   \
    TYPE& operator/=(TYPE other) { return *this = TYPE(float(*this) / float(other)); }                   \
  };                                                                                                     \
  struct alignas(4) TYPE##2 {                                                                            \
    TYPE x, y;                                                                                           \
  };                                                                                                     \
  static inline TYPE __float2##WORD(float value) { return TYPE(value); }                                 \
  static inline TYPE __float2##WORD##_rn(float value) { return TYPE(value); }                            \
  static inline TYPE __double2##WORD(double value) { return TYPE(value); }                               \
  static inline float __##WORD##2float(TYPE value) { return float(value); }                              \
  static inline TYPE##2 make_##WORD##2(TYPE x, TYPE y) { return TYPE##2 {x, y}; }                        \
  static inline TYPE##2 __float2##WORD##2_rn(float value) { return TYPE##2 {TYPE(value), TYPE(value)}; } \
  static inline TYPE##2 __floats2##WORD##2_rn(float x, float y) { return TYPE##2 {TYPE(x), TYPE(y)}; }   \
  static inline float2 __##WORD##22float2(TYPE##2 value) {                                               \
    return make_float2(float(value.x), float(value.y));                                                  \
  }
