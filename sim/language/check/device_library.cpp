#include "sim/language/check/device_library.h"

#include "sim/language/parse/parsed_text.h"

namespace lanescope::checker {
namespace {

// The functions below are read as a kernel's text is. Their names and what they do are those of the CUDA Math
// API and the CUDA C++ Programming Guide.
constexpr const char* kMathematics = R"cuda(
__device__ void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
__device__ void __sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
__device__ void sincos(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
__device__ void sincos(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
__device__ void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
__device__ void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
__device__ void sincospi(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }

__device__ double modf(double x, double* whole) {
  *whole = trunc(x);
  return copysign(isinf(x) ? 0.0 : x - trunc(x), x);
}
__device__ float modff(float x, float* whole) {
  *whole = truncf(x);
  return copysignf(isinf(x) ? 0.0f : x - truncf(x), x);
}
__device__ float modf(float x, float* whole) { return modff(x, whole); }

__device__ double frexp(double x, int* exponent) {
  int e = x == 0 || !isfinite(x) ? 0 : ilogb(x) + 1;
  *exponent = e;
  return scalbn(x, -e);
}
__device__ float frexpf(float x, int* exponent) {
  int e = x == 0 || !isfinite(x) ? 0 : ilogbf(x) + 1;
  *exponent = e;
  return scalbnf(x, -e);
}
__device__ float frexp(float x, int* exponent) { return frexpf(x, exponent); }

__device__ double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
__device__ float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
__device__ double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
__device__ float rnorm4df(float a, float b, float c, float d) { return (float)(1 / norm4d(a, b, c, d)); }
)cuda";

constexpr const char* kMemory = R"cuda(
template <typename T>
__device__ void* memcpy(T* to, const T* from, size_t bytes) {
  size_t whole = bytes / sizeof(T);
  for (size_t i = 0; i < whole; ++i) to[i] = from[i];
  for (size_t i = whole * sizeof(T); i < bytes; ++i) ((char*)to)[i] = ((const char*)from)[i];
  return to;
}
__device__ void* memcpy(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((char*)to)[i] = ((const char*)from)[i];
  return to;
}
template <typename T>
__device__ void* memset(T* to, int value, size_t bytes) {
  size_t done = 0;
  if constexpr (sizeof(T) % 8 == 0) {
    unsigned long long word = (unsigned char)value * 0x0101010101010101ull;
    for (; done + 8 <= bytes; done += 8) *(unsigned long long*)((char*)to + done) = word;
  } else if constexpr (sizeof(T) % 4 == 0) {
    unsigned word = (unsigned char)value * 0x01010101u;
    for (; done + 4 <= bytes; done += 4) *(unsigned*)((char*)to + done) = word;
  }
  for (; done < bytes; ++done) ((char*)to)[done] = (char)value;
  return to;
}
__device__ void* memset(void* to, int value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((char*)to)[i] = (char)value;
  return to;
}
)cuda";

constexpr const char* kAtomics = R"cuda(
__device__ float2 atomicAdd(float2* at, float2 value) {
  float2 old;
  old.x = atomicAdd(&at->x, value.x);
  old.y = atomicAdd(&at->y, value.y);
  return old;
}
__device__ float4 atomicAdd(float4* at, float4 value) {
  float4 old;
  old.x = atomicAdd(&at->x, value.x);
  old.y = atomicAdd(&at->y, value.y);
  old.z = atomicAdd(&at->z, value.z);
  old.w = atomicAdd(&at->w, value.w);
  return old;
}
)cuda";

}  // namespace

const syntax::Unit& deviceLibrary() {
  static const ParsedText library(
      std::make_shared<SourceText>("device library", std::string(kMathematics) + kMemory + kAtomics));
  return library.unit;
}

}  // namespace lanescope::checker
