#include "sim/machine/run/lane_rules.h"

#include <cmath>

namespace lanescope::lane {
namespace {

template <class T>
[[gnu::always_inline]] inline void fused(const T* a, const T* b, const T* c, T* dst) {
  LANESCOPE_LANES_ARE_APART
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) dst[lane] = std::fma(a[lane], b[lane], c[lane]);
}

#ifdef __x86_64__
// Every x86-64 processor since 2013 has these instructions; the program itself also runs on older ones.
template <class T>
__attribute__((target("avx2,fma"))) void fusedByInstruction(const T* a, const T* b, const T* c, T* dst) {
  LANESCOPE_LANES_ARE_APART
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if constexpr (sizeof(T) == sizeof(float)) {
      dst[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);
    } else {
      dst[lane] = __builtin_fma(a[lane], b[lane], c[lane]);
    }
  }
}
#endif

template <class T>
void choose(const T* a, const T* b, const T* c, T* dst) {
#ifdef __x86_64__
  static const bool hasInstruction =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (hasInstruction) return fusedByInstruction(a, b, c, dst);
#endif
  fused(a, b, c, dst);
}

}  // namespace

void fusedMultiplyAdd(const LaneF32* a, const LaneF32* b, const LaneF32* c, LaneF32* dst) {
  choose(a, b, c, dst);
}
void fusedMultiplyAdd(const LaneF64* a, const LaneF64* b, const LaneF64* c, LaneF64* dst) {
  choose(a, b, c, dst);
}

}  // namespace lanescope::lane
