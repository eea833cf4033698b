// Complex numbers of CUDA's cuComplex.h: pairs of floats or doubles.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

static inline cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
#define LANESCOPE_COMPLEX(COMPLEX, REAL, SUFFIX)                                        \
  static inline COMPLEX make_##COMPLEX(REAL x, REAL y) { return make_##REAL##2(x, y); } \
  static inline REAL cuCreal##SUFFIX(COMPLEX z) { return z.x; }                         \
  static inline REAL cuCimag##SUFFIX(COMPLEX z) { return z.y; }                         \
  static inline COMPLEX cuConj##SUFFIX(COMPLEX z) { return make_##REAL##2(z.x, -z.y); } \
  static inline COMPLEX cuCadd##SUFFIX(COMPLEX a, COMPLEX b) {                          \
    return make_##REAL##2(a.x + b.x, a.y + b.y);                                        \
  }                                                                                     \
  static inline COMPLEX cuCsub##SUFFIX(COMPLEX a, COMPLEX b) {                          \
    return make_##REAL##2(a.x - b.x, a.y - b.y);                                        \
  }                                                                                     \
  static inline COMPLEX cuCmul##SUFFIX(COMPLEX a, COMPLEX b) {                          \
    return make_##REAL##2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                \
  }                                                                                     \
  static inline REAL cuCabs##SUFFIX(COMPLEX z) { return hypot##SUFFIX(z.x, z.y); }
LANESCOPE_COMPLEX(cuFloatComplex, float, f)
LANESCOPE_COMPLEX(cuDoubleComplex, double, )
#undef LANESCOPE_COMPLEX
