#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/machine/run/warp_state.h"

/// Tells the compiler that the lanes of a loop do not read values that other lanes of it write.
#if defined(__clang__)
#define LANESCOPE_LANES_ARE_APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANESCOPE_LANES_ARE_APART _Pragma("GCC ivdep")
#endif

/// The arithmetic of one lane, and the loops that apply it to all 32. The loops run over contiguous lanes
/// without a mask, so that compilers make them vector instructions. They are always inlined: otherwise GCC 12
/// treats the 64-bit select as a function without stores, and drops its calls.
namespace lanescope::lane {

/// dst = f(a, b) in every lane. Registers may be the same, but must not overlap in part.
template <class From, class To, class F>
[[gnu::always_inline]] inline void binary(const WarpState& warp, const Instruction& i, F f) {
  const From* a = warp.lanes<From>(i.a);
  const From* b = warp.lanes<From>(i.b);
  To* dst = warp.lanes<To>(i.dst);
  LANESCOPE_LANES_ARE_APART
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) dst[lane] = static_cast<To>(f(a[lane], b[lane]));
}

template <class From, class To, class F>
[[gnu::always_inline]] inline void unary(const WarpState& warp, const Instruction& i, F f) {
  const From* a = warp.lanes<From>(i.a);
  To* dst = warp.lanes<To>(i.dst);
  LANESCOPE_LANES_ARE_APART
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) dst[lane] = static_cast<To>(f(a[lane]));
}

/// dst = a in the lanes of the mask.
template <class T>
[[gnu::always_inline]] inline void masked(const WarpState& warp, const Instruction& i) {
  const T* a = warp.lanes<T>(i.a);
  T* dst = warp.lanes<T>(i.dst);
  const std::uint32_t active = warp.active;
  if (active == ~0u) {
    LANESCOPE_LANES_ARE_APART
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) dst[lane] = a[lane];
    return;
  }
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    dst[lane] = a[lane];
  }
}

/// dst = a + b * imm, an address.
template <class Index>
[[gnu::always_inline]] inline void offset(const WarpState& warp, const Instruction& i) {
  const LaneU64* base = warp.lanes<LaneU64>(i.a);
  const Index* index = warp.lanes<Index>(i.b);
  LaneU64* dst = warp.lanes<LaneU64>(i.dst);
  const auto scale = static_cast<std::uint64_t>(i.imm);
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    dst[lane] = base[lane] + static_cast<std::uint64_t>(static_cast<std::int64_t>(index[lane])) * scale;
}

/// The lanes, active or not, for which f(a, b) holds.
template <class T, class F>
inline std::uint32_t computeMask(const T* a, const T* b, F f) {
  static constexpr std::array<std::uint32_t, kMaxLanes> kBits = [] {
    std::array<std::uint32_t, kMaxLanes> bits{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) bits[lane] = 1u << lane;
    return bits;
  }();
  std::uint32_t mask = 0;
  // Without a branch in it, the loop becomes vector comparisons.
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    mask |= kBits[lane] & (0u - static_cast<std::uint32_t>(f(a[lane], b[lane])));
  return mask;
}

template <class T>
[[gnu::always_inline]] inline void select(const WarpState& warp, const Instruction& i) {
  const LaneU32* test = warp.lanes<LaneU32>(i.a);
  const T* yes = warp.lanes<T>(i.b);
  const T* no = warp.lanes<T>(i.c);
  T* dst = warp.lanes<T>(i.dst);
  // Written with bits: GCC 12 makes zeros of `test ? yes : no` here if T is 64 bits wide.
  LANESCOPE_LANES_ARE_APART
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    const T chosen = static_cast<T>(0) - static_cast<T>(test[lane] != 0);
    dst[lane] = no[lane] ^ ((yes[lane] ^ no[lane]) & chosen);
  }
}

/// Integer division as the hardware does it: division by zero gives all ones; the smallest number divided by
/// -1 wraps.
template <class T>
inline T divide(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
  }
  return static_cast<T>(a / b);
}

template <class T>
inline T remainder(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

/// Floating minimum and maximum: a NaN loses to a number, and -0 is below +0, which C's fmin leaves open
/// (PTX ISA, min and max; IEEE 754-2019 minimumNumber).
template <class T>
inline T minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b) return std::signbit(a) ? a : b;
    return a < b || std::isnan(b) ? a : b;
  }
  return std::min(a, b);
}

template <class T>
inline T maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b) return std::signbit(a) ? b : a;
    return a > b || std::isnan(b) ? a : b;
  }
  return std::max(a, b);
}

/// Toward zero, saturating; NaN gives 0 (PTX ISA, cvt.rzi).
template <class To, class From>
inline To toInteger(From value) {
  if (std::isnan(value)) return 0;
  const From truncated = std::trunc(value);
  // The bounds themselves may not be representable; one past them is a power of two and is representable.
  constexpr From kPast = static_cast<From>(To{1} << (std::numeric_limits<To>::digits - 1)) * 2;
  if (truncated >= kPast) return std::numeric_limits<To>::max();
  if (truncated < static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  return static_cast<To>(truncated);
}

/// The lane that `own` reads in a shuffle: its own when the other one is outside its group of
/// `width` lanes (CUDA Programming Guide, "Warp Shuffle Functions").
inline unsigned shuffleSource(typed::ShuffleKind kind, unsigned own, std::uint32_t operand,
                              std::uint32_t width, unsigned warpSize) {
  if (width == 0 || width > warpSize) width = warpSize;
  const unsigned first = own / width * width;
  const unsigned end = first + width;
  std::uint64_t source = own;
  switch (kind) {
    case typed::ShuffleKind::Index: source = first + operand % width; break;
    case typed::ShuffleKind::Up: source = operand > own - first ? own : own - operand; break;
    case typed::ShuffleKind::Down: source = std::uint64_t{own} + operand; break;
    case typed::ShuffleKind::Xor: source = own ^ operand; break;
  }
  return source < end ? static_cast<unsigned>(source) : own;
}

}  // namespace lanescope::lane
