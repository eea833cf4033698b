#include "sim/language/check/device_library.h"

#include <atomic>
#include <functional>
#include <memory>

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {
namespace {

// The functions below are read like a kernel's text. Their names and effects are from the CUDA Math API and
// the CUDA C++ Programming Guide.
constexpr const char* kMathematics = R"cuda(
namespace cg = cooperative_groups;
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

__device__ float nanf(const char* tag) { return __int_as_float(0x7fffffff); }
__device__ double nan(const char* tag) { return __longlong_as_double(0xfff8000000000000LL); }
__device__ double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
__device__ float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
__device__ double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }
__device__ float rnorm4df(float a, float b, float c, float d) { return (float)(1 / norm4d(a, b, c, d)); }

__device__ int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__device__ int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
__device__ unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) { return c + a.x * b.x + a.y * b.y; }
__device__ int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
__device__ unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) { return c + a.x * b.z + a.y * b.w; }
)cuda";

constexpr const char* kMemory = R"cuda(
template <typename T>
__device__ void swap(T& a, T& b) {
  T held = a;
  a = b;
  b = held;
}
template <typename T>
__device__ T* __new_array(size_t count) {
  T* objects = (T*)malloc(count * sizeof(T));
  if (objects != nullptr) {
    for (size_t i = 0; i < count; ++i) new (objects + i) T();
  }
  return objects;
}
template <typename T>
__device__ T* __new_counted(size_t count) {
  char* block = (char*)malloc(16 + count * sizeof(T));
  if (block == nullptr) return nullptr;
  *(size_t*)(block + 8) = count;
  T* objects = (T*)(block + 16);
  for (size_t i = 0; i < count; ++i) new (objects + i) T();
  return objects;
}
template <typename T>
__device__ void __delete_counted(T* objects) {
  if (objects == nullptr) return;
  size_t count = ((size_t*)objects)[-1];
  for (size_t i = count; i > 0; --i) (objects + i - 1)->~T();
  free((char*)objects - 16);
}
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

// Methods of cooperative groups: of the lanes that were active together when the group was made, numbered
// from 0 in order, and of the grid.
constexpr const char* kGroups = R"cuda(
__device__ unsigned __lanescope_lane() {
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return thread % (unsigned)warpSize;
}
__device__ int __lanescope_lane_of(unsigned lanes, unsigned rank) {
  for (unsigned i = 0; i < rank; ++i) lanes &= lanes - 1;
  return __ffs(lanes) - 1;
}
__device__ unsigned __lanescope_packed(unsigned lanes, unsigned votes) {
  unsigned result = 0;
  for (unsigned i = 0; lanes != 0; lanes &= lanes - 1, ++i)
    if (votes & lanes & (0u - lanes)) result |= 1u << i;
  return result;
}
template <unsigned N, typename T, typename F>
__device__ T __lanescope_tile_reduce(const cg::thread_block_tile<N>& g, T value, F combine) {
  for (unsigned distance = N / 2; distance > 0; distance /= 2)
    value = combine(value, g.shfl_xor(value, distance));
  return value;
}
__device__ unsigned __lanescope_coalesced_thread_rank(cg::coalesced_group g) {
  return __popc(g.lanes & ((1u << __lanescope_lane()) - 1));
}
__device__ unsigned __lanescope_coalesced_size(cg::coalesced_group g) { return __popc(g.lanes); }
__device__ unsigned __lanescope_coalesced_num_threads(cg::coalesced_group g) { return __popc(g.lanes); }
__device__ void __lanescope_coalesced_sync(cg::coalesced_group g) { __syncwarp(g.lanes); }
template <typename T>
__device__ T __lanescope_coalesced_shfl(cg::coalesced_group g, T value, unsigned rank) {
  return __shfl_sync(g.lanes, value, __lanescope_lane_of(g.lanes, rank % __popc(g.lanes)));
}
template <typename T>
__device__ T __lanescope_coalesced_shfl_up(cg::coalesced_group g, T value, unsigned by) {
  unsigned own = __lanescope_coalesced_thread_rank(g);
  return __shfl_sync(g.lanes, value, __lanescope_lane_of(g.lanes, own >= by ? own - by : own));
}
template <typename T>
__device__ T __lanescope_coalesced_shfl_down(cg::coalesced_group g, T value, unsigned by) {
  unsigned own = __lanescope_coalesced_thread_rank(g);
  return __shfl_sync(g.lanes, value, __lanescope_lane_of(g.lanes, own + by < __popc(g.lanes) ? own + by : own));
}
__device__ int __lanescope_coalesced_any(cg::coalesced_group g, int test) { return __any_sync(g.lanes, test); }
__device__ int __lanescope_coalesced_all(cg::coalesced_group g, int test) { return __all_sync(g.lanes, test); }
__device__ unsigned __lanescope_coalesced_ballot(cg::coalesced_group g, int test) {
  return __lanescope_packed(g.lanes, __ballot_sync(g.lanes, test));
}

#define REDUCE(OPERATOR, COMBINED)                                                \
  template <typename T>                                                           \
  __device__ T __lanescope_coalesced_##OPERATOR(cg::coalesced_group g, T value) { \
    T sum = __lanescope_coalesced_shfl(g, value, 0);                              \
    for (unsigned rank = 1; rank < __popc(g.lanes); ++rank) {                     \
      T other = __lanescope_coalesced_shfl(g, value, rank);                       \
      sum = COMBINED;                                                             \
    }                                                                             \
    return sum;                                                                   \
  }
REDUCE(plus, sum + other)
REDUCE(less, (other < sum ? other : sum))
REDUCE(greater, (other > sum ? other : sum))
REDUCE(bit_and, sum & other)
REDUCE(bit_or, sum | other)
REDUCE(bit_xor, sum ^ other)

#define SCAN(OPERATOR, COMBINED)                                                           \
  template <typename T>                                                                    \
  __device__ T __lanescope_inclusive_##OPERATOR(cg::coalesced_group g, T value) {          \
    unsigned rank = __lanescope_coalesced_thread_rank(g);                                  \
    for (unsigned by = 1; by < __popc(g.lanes); by *= 2) {                                 \
      T other = __lanescope_coalesced_shfl_up(g, value, by);                               \
      if (rank >= by) value = COMBINED;                                                    \
    }                                                                                      \
    return value;                                                                          \
  }                                                                                        \
  template <typename T>                                                                    \
  __device__ T __lanescope_exclusive_##OPERATOR(cg::coalesced_group g, T value) {          \
    T last = __lanescope_coalesced_shfl_up(g, __lanescope_inclusive_##OPERATOR(g, value), 1); \
    return __lanescope_coalesced_thread_rank(g) == 0 ? T(0) : last;                        \
  }
SCAN(plus, other + value)
SCAN(less, (value < other ? value : other))
SCAN(greater, (other < value ? value : other))
SCAN(bit_and, other & value)
SCAN(bit_or, other | value)
SCAN(bit_xor, other ^ value)

__device__ unsigned long long __lanescope_grid_block_rank() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
__device__ unsigned long long __lanescope_grid_num_blocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
__device__ unsigned long long __lanescope_grid_size() {
  return __lanescope_grid_num_blocks() * (blockDim.x * blockDim.y * blockDim.z);
}
__device__ unsigned long long __lanescope_grid_num_threads() { return __lanescope_grid_size(); }
__device__ unsigned long long __lanescope_grid_thread_rank() {
  return __lanescope_grid_block_rank() * (blockDim.x * blockDim.y * blockDim.z) +
         (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
)cuda";

// For half2 and, with other words, for __nv_bfloat162 (cuda_fp16.hpp, cuda_bf16.hpp).
constexpr const char* kPairs = R"cuda(
#define EACH(NAME, OF) __device__ PAIR NAME(PAIR a) { return PAIR{OF(a.x), OF(a.y)}; }
#define BOTH(NAME, OF) __device__ PAIR NAME(PAIR a, PAIR b) { return PAIR{OF(a.x, b.x), OF(a.y, b.y)}; }
#define FMA(NAME, OF) \
  __device__ PAIR NAME(PAIR a, PAIR b, PAIR c) { return PAIR{OF(a.x, b.x, c.x), OF(a.y, b.y, c.y)}; }
#define MATH(F) EACH(h2##F, h##F)
#define COMPARE(F)                                                                    \
  __device__ PAIR __h##F##2(PAIR a, PAIR b) {                                         \
    return PAIR{__int2WORD_rn(__h##F(a.x, b.x)), __int2WORD_rn(__h##F(a.y, b.y))};    \
  }                                                                                   \
  __device__ bool __hb##F##2(PAIR a, PAIR b) { return __h##F(a.x, b.x) && __h##F(a.y, b.y); }
MATH(sqrt) MATH(rsqrt) MATH(rcp) MATH(exp) MATH(exp2) MATH(exp10) MATH(log) MATH(log2) MATH(log10)
MATH(sin) MATH(cos) MATH(floor) MATH(ceil) MATH(trunc) MATH(rint) EACH(__hneg2, __hneg) EACH(__habs2, __habs)
BOTH(__hadd2, __hadd) BOTH(__hadd2_rn, __hadd) BOTH(__hadd2_sat, __hadd_sat)
BOTH(__hsub2, __hsub) BOTH(__hsub2_rn, __hsub) BOTH(__hsub2_sat, __hsub_sat)
BOTH(__hmul2, __hmul) BOTH(__hmul2_rn, __hmul) BOTH(__hmul2_sat, __hmul_sat) BOTH(__h2div, __hdiv)
BOTH(__hmax2, __hmax) BOTH(__hmin2, __hmin) BOTH(__hmax2_nan, __hmax_nan) BOTH(__hmin2_nan, __hmin_nan)
FMA(__hfma2, __hfma) FMA(__hfma2_sat, __hfma_sat) FMA(__hfma2_relu, __hfma_relu)
COMPARE(eq) COMPARE(ne) COMPARE(lt) COMPARE(le) COMPARE(gt) COMPARE(ge)
#undef EACH
#undef BOTH
#undef FMA
#undef MATH
#undef COMPARE
__device__ bool __hbneu2(PAIR a, PAIR b) { return __hneu(a.x, b.x) || __hneu(a.y, b.y); }
__device__ PAIR __hisnan2(PAIR a) { return PAIR{__int2WORD_rn(__hisnan(a.x)), __int2WORD_rn(__hisnan(a.y))}; }
__device__ PAIR __floats2WORD2_rn(float a, float b) { return PAIR{__float2WORD(a), __float2WORD(b)}; }
__device__ PAIR __float2WORD2_rn(float a) { return PAIR{__float2WORD(a), __float2WORD(a)}; }
__device__ PAIR __float22WORD2_rn(float2 a) { return PAIR{__float2WORD(a.x), __float2WORD(a.y)}; }
__device__ float2 __WORD22float2(PAIR a) { return make_float2(__WORD2float(a.x), __WORD2float(a.y)); }
__device__ PAIR __WORD2WORD2(SMALL a) { return PAIR{a, a}; }
__device__ PAIR __halves2WORD2(SMALL a, SMALL b) { return PAIR{a, b}; }
__device__ PAIR make_WORD2(SMALL a, SMALL b) { return PAIR{a, b}; }
__device__ SMALL __low2WORD(PAIR a) { return a.x; }
__device__ SMALL __high2WORD(PAIR a) { return a.y; }
__device__ float __low2float(PAIR a) { return __WORD2float(a.x); }
__device__ float __high2float(PAIR a) { return __WORD2float(a.y); }
__device__ PAIR __low2WORD2(PAIR a) { return PAIR{a.x, a.x}; }
__device__ PAIR __high2WORD2(PAIR a) { return PAIR{a.y, a.y}; }
__device__ PAIR __lows2WORD2(PAIR a, PAIR b) { return PAIR{a.x, b.x}; }
__device__ PAIR __highs2WORD2(PAIR a, PAIR b) { return PAIR{a.y, b.y}; }
__device__ PAIR __lowhigh2highlow(PAIR a) { return PAIR{a.y, a.x}; }
__device__ unsigned __lanescope_word(PAIR a) { return __WORD_as_ushort(a.x) | (unsigned)__WORD_as_ushort(a.y) << 16; }
#define SHUFFLE(NAME)                                                                                    \
  __device__ PAIR NAME(unsigned mask, PAIR value, int lane, int width = warpSize) {                      \
    unsigned word = NAME(mask, __lanescope_word(value), lane, width);                                    \
    return PAIR{__ushort_as_WORD((unsigned short)word), __ushort_as_WORD((unsigned short)(word >> 16))}; \
  }
SHUFFLE(__shfl_sync)
SHUFFLE(__shfl_up_sync)
SHUFFLE(__shfl_down_sync)
SHUFFLE(__shfl_xor_sync)
#undef SHUFFLE
__device__ PAIR atomicAdd(PAIR* at, PAIR value) {
  PAIR old;
  old.x = atomicAdd(&at->x, value.x);
  old.y = atomicAdd(&at->y, value.y);
  return old;
}
)cuda";

// With the products and quotients of cuComplex.h.
constexpr const char* kComplex = R"cuda(
__device__ REAL cuCrealSUFFIX(COMPLEX a) { return a.x; }
__device__ REAL cuCimagSUFFIX(COMPLEX a) { return a.y; }
__device__ COMPLEX make_COMPLEX(REAL re, REAL im) { return COMPLEX{re, im}; }
__device__ COMPLEX cuConjSUFFIX(COMPLEX a) { return COMPLEX{a.x, -a.y}; }
__device__ COMPLEX cuCaddSUFFIX(COMPLEX a, COMPLEX b) { return COMPLEX{a.x + b.x, a.y + b.y}; }
__device__ COMPLEX cuCsubSUFFIX(COMPLEX a, COMPLEX b) { return COMPLEX{a.x - b.x, a.y - b.y}; }
__device__ COMPLEX cuCmulSUFFIX(COMPLEX a, COMPLEX b) {
  return COMPLEX{(a.x * b.x) - (a.y * b.y), (a.x * b.y) + (a.y * b.x)};
}
__device__ COMPLEX cuCdivSUFFIX(COMPLEX a, COMPLEX b) {
  REAL scale = 1 / (fabs(b.x) + fabs(b.y));
  REAL ar = a.x * scale;
  REAL ai = a.y * scale;
  REAL br = b.x * scale;
  REAL bi = b.y * scale;
  REAL over = 1 / ((br * br) + (bi * bi));
  return COMPLEX{((ar * br) + (ai * bi)) * over, ((ai * br) - (ar * bi)) * over};
}
__device__ REAL cuCabsSUFFIX(COMPLEX a) {
  REAL p = fabs(a.x);
  REAL q = fabs(a.y);
  REAL v = p > q ? p : q;
  REAL w = p > q ? q : p;
  REAL t = w / v;
  t = 1 + t * t;
  t = v * sqrt(t);
  if (v == 0 || v > LARGEST || w > LARGEST) t = v + w;
  return t;
}
__device__ COMPLEX cuCfmaSUFFIX(COMPLEX x, COMPLEX y, COMPLEX d) {
  REAL re = (x.x * y.x) + d.x;
  REAL im = (x.x * y.y) + d.y;
  return COMPLEX{-(x.y * y.y) + re, (x.y * y.x) + im};
}
)cuda";

// Conversions between the two.
constexpr const char* kComplexBoth = R"cuda(
__device__ cuFloatComplex make_cuComplex(float re, float im) { return cuFloatComplex{re, im}; }
__device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return cuDoubleComplex{a.x, a.y}; }
__device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return cuFloatComplex{(float)a.x, (float)a.y};
}
)cuda";

std::string pairFunctions(std::string_view small, std::string_view pair, std::string_view word) {
  return replaced(replaced(replaced(kPairs, "SMALL", small), "PAIR", pair), "WORD", word);
}

std::string complexFunction(std::string_view complex, std::string_view real, std::string_view suffix,
                            std::string_view largest) {
  const std::string named = replaced(replaced(kComplex, "COMPLEX", complex), "REAL", real);
  return replaced(replaced(named, "SUFFIX", suffix), "LARGEST", largest);
}

std::string libraryText() {
  return std::string(kMathematics) + kMemory + kAtomics + kGroups +
         complexFunction("cuFloatComplex", "float", "f", "3.402823466e38f") +
         complexFunction("cuDoubleComplex", "double", "", "1.79769313486231570e+308") + kComplexBoth +
         pairFunctions("__half", "__half2", "half") +
         pairFunctions("__nv_bfloat16", "__nv_bfloat162", "bfloat16");
}

const ParsedText& library() {
  static const ParsedText text(std::make_shared<SourceText>("device library", libraryText()));
  return text;
}

std::atomic<const syntax::Unit*> randomUnit = nullptr;  ///< once it is parsed

const ParsedText& ofRandomNumbers() {
  static const ParsedText text(std::make_shared<SourceText>("random numbers", randomLibrary()));
  randomUnit = &text.unit;
  return text;
}

bool isIn(const syntax::Unit& unit, const syntax::Function& function) {
  const std::vector<syntax::Function>& all = unit.functions;
  return std::less_equal<>()(all.data(), &function) && std::less<>()(&function, all.data() + all.size());
}

}  // namespace

const syntax::Unit& deviceLibrary() { return library().unit; }

std::vector<const syntax::Function*> libraryFunctionsNamed(std::string_view name) {
  std::vector<const syntax::Function*> found;
  const ParsedText& text = isRandomFunction(name) ? ofRandomNumbers() : library();
  for (const syntax::Function& function : text.unit.functions) {
    if (function.name == name) found.push_back(&function);
  }
  return found;
}

bool isOfLibrary(const syntax::Function& function) {
  const syntax::Unit* const random = randomUnit;
  return isIn(library().unit, function) || (random != nullptr && isIn(*random, function));
}

std::vector<Diagnostic> deviceLibraryFaults() {
  std::vector<Diagnostic> faults = library().diagnostics;
  const std::vector<Diagnostic>& ofRandom = ofRandomNumbers().diagnostics;
  faults.insert(faults.end(), ofRandom.begin(), ofRandom.end());
  return faults;
}

}  // namespace lanescope::checker
