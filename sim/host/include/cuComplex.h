// Complex numbers of CUDA's cuComplex.h: pairs of floats or doubles.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

static inline cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
static inline cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
static inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
static inline float cuCrealf(cuFloatComplex z) { return z.x; }
static inline float cuCimagf(cuFloatComplex z) { return z.y; }
static inline double cuCreal(cuDoubleComplex z) { return z.x; }
static inline double cuCimag(cuDoubleComplex z) { return z.y; }
static inline cuFloatComplex cuConjf(cuFloatComplex z) { return make_float2(z.x, -z.y); }
static inline cuDoubleComplex cuConj(cuDoubleComplex z) { return make_double2(z.x, -z.y); }
static inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
static inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
static inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
static inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
static inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
static inline float cuCabsf(cuFloatComplex z) { return hypotf(z.x, z.y); }
static inline double cuCabs(cuDoubleComplex z) { return hypot(z.x, z.y); }
