#include "sim/language/check/device_library.h"

namespace lanescope::checker {
namespace {

// The sequences of a seed are 2^67 numbers apart: `__lanescope_xorwow0` and its kin go to one, and within it.
constexpr const char* kXorwow = R"cuda(
__device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                            curandStateXORWOW_t* state) {
  state->v[0] = __lanescope_xorwow0(seed, sequence, offset);
  state->v[1] = __lanescope_xorwow1(seed, sequence, offset);
  state->v[2] = __lanescope_xorwow2(seed, sequence, offset);
  state->v[3] = __lanescope_xorwow3(seed, sequence, offset);
  state->v[4] = __lanescope_xorwow4(seed, sequence, offset);
  state->d = __lanescope_xorwow5(seed, sequence, offset);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}
__device__ unsigned curand(curandStateXORWOW_t* state) {
  unsigned t = state->v[0] ^ state->v[0] >> 2;
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = state->v[4] ^ state->v[4] << 4 ^ t ^ t << 1;
  state->d += 362437;
  return state->d + state->v[4];
}
// A step is linear: what a state becomes is made of what its words become, each as if it were alone.
__device__ void __xorwow_advance(unsigned long long n, unsigned power, curandStateXORWOW_t* state) {
  unsigned long long a = (unsigned long long)state->v[1] << 32 | state->v[0];
  unsigned long long b = (unsigned long long)state->v[3] << 32 | state->v[2];
  unsigned long long c = state->v[4];
  for (unsigned word = 0; word < 5; ++word) {
    unsigned to = word << 8 | power;
    state->v[word] = __lanescope_xorwow_advanced(a, n, to) ^ __lanescope_xorwow_advanced(b, n, 2 << 16 | to) ^
                     __lanescope_xorwow_advanced(c, n, 4 << 16 | to);
  }
}
__device__ void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  __xorwow_advance(n, 0, state);
  state->d += 362437 * (unsigned)n;
}
__device__ void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  __xorwow_advance(n, 67, state);
}
__device__ double curand_uniform_double(curandStateXORWOW_t* state) {
  unsigned x = curand(state);
  unsigned y = curand(state);
  return __curand_double(x, y);
}
__device__ double2 __curand_pair_double(curandStateXORWOW_t* state) {
  unsigned x = curand(state);
  unsigned y = curand(state);
  unsigned z = curand(state);
  unsigned w = curand(state);
  return __curand_normals(x, y, z, w);
}
)cuda";

constexpr const char* kPhilox = R"cuda(
__device__ uint4 __philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    unsigned low = 0xD2511F53u * c.x;
    unsigned other = 0xCD9E8D57u * c.z;
    c = make_uint4(__umulhi(0xCD9E8D57u, c.z) ^ c.y ^ k.x, other, __umulhi(0xD2511F53u, c.x) ^ c.w ^ k.y, low);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
__device__ void __philox_advance(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  unsigned long long before = (unsigned long long)state->ctr.y << 32 | state->ctr.x;
  unsigned long long now = before + n;
  state->ctr.x = (unsigned)now;
  state->ctr.y = (unsigned)(now >> 32);
  if (now < before && ++state->ctr.z == 0) ++state->ctr.w;
  state->output = __philox(state->ctr, state->key);
}
__device__ void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  state->STATE += (unsigned)n & 3;
  n /= 4;
  if (state->STATE > 3) {
    n += 1;
    state->STATE -= 4;
  }
  __philox_advance(n, state);
}
__device__ void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
  state->ctr.z = (unsigned)high;
  state->ctr.w = (unsigned)(high >> 32);
  state->output = __philox(state->ctr, state->key);
}
__device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                            curandStatePhilox4_32_10_t* state) {
  state->ctr = make_uint4(0, 0, (unsigned)sequence, (unsigned)(sequence >> 32));
  state->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead(offset, state);
}
__device__ unsigned curand(curandStatePhilox4_32_10_t* state) {
  unsigned at = state->STATE++;
  unsigned number = at == 1   ? state->output.y
                    : at == 2 ? state->output.z
                    : at == 3 ? state->output.w
                              : state->output.x;
  if (state->STATE == 4) {
    __philox_advance(1, state);
    state->STATE = 0;
  }
  return number;
}
__device__ uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 a = state->output;
  __philox_advance(1, state);
  uint4 b = state->output;
  if (state->STATE == 1) return make_uint4(a.y, a.z, a.w, b.x);
  if (state->STATE == 2) return make_uint4(a.z, a.w, b.x, b.y);
  if (state->STATE == 3) return make_uint4(a.w, b.x, b.y, b.z);
  return a;
}
__device__ double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
__device__ double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  uint4 n = curand4(state);
  return make_double2(__curand_double(n.x, n.y), __curand_double(n.z, n.w));
}
__device__ double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  double2 a = curand_uniform2_double(state);
  double2 b = curand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}
__device__ float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  uint4 n = curand4(state);
  return make_float4(__curand_float(n.x), __curand_float(n.y), __curand_float(n.z), __curand_float(n.w));
}
__device__ float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  uint4 n = curand4(state);
  float2 a = __curand_normals(n.x, n.y);
  float2 b = __curand_normals(n.z, n.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
__device__ float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  float4 n = curand_normal4(state);
  return make_float4(expf(mean + stddev * n.x), expf(mean + stddev * n.y), expf(mean + stddev * n.z),
                     expf(mean + stddev * n.w));
}
__device__ double2 __curand_pair_double(curandStatePhilox4_32_10_t* state) {
  uint4 n = curand4(state);
  return __curand_normals(n.x, n.y, n.z, n.w);
}
__device__ double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  double2 a = __curand_pair_double(state);
  double2 b = __curand_pair_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}
__device__ double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean, double stddev) {
  double4 n = curand_normal4_double(state);
  return make_double4(exp(mean + stddev * n.x), exp(mean + stddev * n.y), exp(mean + stddev * n.z),
                      exp(mean + stddev * n.w));
}
)cuda";

// Uniform numbers in (0, 1]; normal ones in pairs (Box and Muller, 1958).
constexpr const char* kNumbers = R"cuda(
__device__ float __curand_float(unsigned x) { return x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
__device__ double __curand_double(unsigned x, unsigned y) {
  unsigned long long z = x ^ (unsigned long long)y << 21;
  return z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
__device__ float2 __curand_normals(unsigned x, unsigned y) {
  float v = y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2;
  float s = sqrtf(-2.0f * logf(__curand_float(x)));
  return make_float2(__sinf(v) * s, __cosf(v) * s);
}
__device__ double2 __curand_normals(unsigned x, unsigned y, unsigned z, unsigned w) {
  unsigned long long angle = z ^ (unsigned long long)w << 21;
  double v = angle * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16;
  double s = sqrt(-2.0 * log(__curand_double(x, y)));
  return make_double2(sinpi(v) * s, cospi(v) * s);
}
)cuda";

constexpr const char* kUniform = R"cuda(
__device__ float curand_uniform(STATE* state) { return __curand_float(curand(state)); }
__device__ float2 __curand_pair(STATE* state) {
  unsigned x = curand(state);
  unsigned y = curand(state);
  return __curand_normals(x, y);
}
)cuda";

// For a type. The second number of a pair is kept for the next call.
constexpr const char* kNormal = R"cuda(
__device__ PAIR curand_normal2SUFFIX(STATE* state) { return __curand_pairSUFFIX(state); }
__device__ REAL curand_normalSUFFIX(STATE* state) {
  if (state->boxmuller_flagSUFFIX == 1) {
    state->boxmuller_flagSUFFIX = 0;
    return state->boxmuller_extraSUFFIX;
  }
  PAIR pair = __curand_pairSUFFIX(state);
  state->boxmuller_extraSUFFIX = pair.y;
  state->boxmuller_flagSUFFIX = 1;
  return pair.x;
}
__device__ PAIR curand_log_normal2SUFFIX(STATE* state, REAL mean, REAL stddev) {
  PAIR pair = __curand_pairSUFFIX(state);
  return PAIR{exp(mean + stddev * pair.x), exp(mean + stddev * pair.y)};
}
__device__ REAL curand_log_normalSUFFIX(STATE* state, REAL mean, REAL stddev) {
  if (state->boxmuller_flagSUFFIX == 2) {
    state->boxmuller_flagSUFFIX = 0;
    return state->boxmuller_extraSUFFIX;
  }
  PAIR pair = curand_log_normal2SUFFIX(state, mean, stddev);
  state->boxmuller_extraSUFFIX = pair.y;
  state->boxmuller_flagSUFFIX = 2;
  return pair.x;
}
)cuda";

/// The functions that both generators have.
std::string ofState(std::string_view state) {
  const auto normal = [](std::string_view real, std::string_view pair, std::string_view suffix) {
    return replaced(replaced(replaced(kNormal, "REAL", real), "PAIR", pair), "SUFFIX", suffix);
  };
  return replaced(kUniform + normal("float", "float2", "") + normal("double", "double2", "_double"), "STATE",
                  state);
}

}  // namespace

bool isRandomFunction(std::string_view name) {
  return name.starts_with("curand") || name.starts_with("__curand") || name.starts_with("skipahead") ||
         name.starts_with("__philox") || name.starts_with("__xorwow");
}

std::string randomLibrary() {
  return kNumbers + std::string(kXorwow) + kPhilox + ofState("curandStateXORWOW_t") +
         ofState("curandStatePhilox4_32_10_t");
}

}  // namespace lanescope::checker
