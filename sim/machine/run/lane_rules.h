#pragma once

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "sim/language/check/lane_functions.h"
#include "sim/language/check/typed_tree.h"
#include "sim/machine/run/warp_state.h"
#include "sim/memory/small_float.h"

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

// The parts of the rules in functions.def and lane_functions.def that need more than one line.

/// f(a, b) rounded as the mode of <cfenv> says. The operands are read, and the result is stored, while the
/// mode holds: volatile keeps both at their places in the code.
template <class T, class F>
[[gnu::noinline]] inline T rounded(int mode, T a, T b, F f) {
  const volatile T x = a;
  const volatile T y = b;
  const int before = std::fegetround();
  std::fesetround(mode);
  const T left = x;
  const T right = y;
  const volatile T result = f(left, right);
  std::fesetround(before);
  return result;
}

template <class T>
[[gnu::noinline]] inline T roundedFma(int mode, T a, T b, T c) {
  const volatile T z = c;
  return rounded(mode, a, b, [&](T x, T y) { return std::fma(x, y, static_cast<T>(z)); });
}

/// The value converted once, rounded as the mode says.
template <class To, class From>
[[gnu::noinline]] inline To roundedTo(int mode, From value) {
  const volatile From x = value;
  const int before = std::fegetround();
  std::fesetround(mode);
  const volatile To result = static_cast<To>(x);
  std::fesetround(before);
  return result;
}

struct Reciprocal {
  template <class T>
  T operator()(T a, T) const {
    return 1 / a;
  }
};

struct SquareRoot {
  template <class T>
  T operator()(T a, T) const {
    return std::sqrt(a);
  }
};

/// a times 2^exponent. Exponents beyond the clamped range give the same result as its ends.
template <class T, class Integer>
inline T scaled(T a, Integer exponent) {
  return std::ldexp(a, static_cast<int>(std::clamp<std::int64_t>(exponent, -10'000, 10'000)));
}

/// __fdividef: for divisors of 2^126 < |b| < 2^128 it gives 0, and NaN if a is infinite (CUDA C++ Programming
/// Guide, "Intrinsic Functions").
inline float fastDivide(float a, float b) {
  const float size = std::fabs(b);
  if (size > 0x1p126f && std::isfinite(b)) return std::copysign(0.0f, b) * a;
  return a / b;
}

/// The number in the lower 24 bits.
inline std::int32_t low24(std::int32_t a) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << 8) >> 8;
}

/// The upper 64 bits of the product, computed from halves of 32 bits each.
inline std::uint64_t highProduct(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t aLow = a & 0xffffffffu;
  const std::uint64_t bLow = b & 0xffffffffu;
  const std::uint64_t middle = (a >> 32) * bLow + (aLow * bLow >> 32);
  const std::uint64_t other = aLow * (b >> 32) + (middle & 0xffffffffu);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

inline std::int64_t highProduct(std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  return static_cast<std::int64_t>(highProduct(ua, ub) - (a < 0 ? ub : 0) - (b < 0 ? ua : 0));
}

/// Four bytes of b:a, each chosen by the lower 3 of 4 bits of the selector (CUDA Math API, __byte_perm).
inline std::uint32_t bytePermuted(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t choice = selector >> (4 * i) & 7u;
    const auto byte = static_cast<std::uint32_t>(bytes >> (8 * choice) & 0xffu);
    result |= byte << (8 * i);
  }
  return result;
}

/// Part number `i` of a word, of so many bits.
template <unsigned Bits, bool Signed>
inline std::int64_t findPart(std::uint32_t word, unsigned i) {
  const std::uint32_t bits = word >> (Bits * i) & ((1u << Bits) - 1);
  if constexpr (Signed) return static_cast<std::int32_t>(bits << (32 - Bits)) >> (32 - Bits);
  return bits;
}

/// f of each pair of parts, in the part's place.
template <unsigned Bits, bool Signed, class F>
inline std::uint32_t inParts(std::uint32_t a, std::uint32_t b, F f) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 32 / Bits; ++i) {
    const std::int64_t part = f(findPart<Bits, Signed>(a, i), findPart<Bits, Signed>(b, i));
    result |= (static_cast<std::uint32_t>(part) & ((1u << Bits) - 1)) << (Bits * i);
  }
  return result;
}

/// The sum of f over the pairs of parts.
template <unsigned Bits, bool Signed, class F>
inline std::uint32_t overParts(std::uint32_t a, std::uint32_t b, F f) {
  std::int64_t sum = 0;
  for (unsigned i = 0; i < 32 / Bits; ++i)
    sum += f(findPart<Bits, Signed>(a, i), findPart<Bits, Signed>(b, i));
  return static_cast<std::uint32_t>(sum);
}

/// The nearest number that a part can hold.
template <unsigned Bits, bool Signed>
inline std::int64_t limited(std::int64_t value) {
  constexpr std::int64_t most = (std::int64_t{1} << (Signed ? Bits - 1 : Bits)) - 1;
  return std::clamp<std::int64_t>(value, Signed ? -most - 1 : 0, most);
}

/// The halves of a, each by one of the two low bytes of b, summed.
template <bool Signed>
inline std::uint32_t halvesByBytes(std::uint32_t a, std::uint32_t b) {
  std::int64_t sum = 0;
  for (unsigned i = 0; i < 2; ++i) sum += findPart<16, Signed>(a, i) * findPart<8, Signed>(b, i);
  return static_cast<std::uint32_t>(sum);
}

/// The place of the set bit number `offset` from bit `base` on, counted from 1, downward if it is negative;
/// all ones if there is none (CUDA C++ Programming Guide, __fns).
inline std::uint32_t nthSet(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  const std::int64_t step = offset < 0 ? -1 : 1;
  std::int64_t left = offset < 0 ? -std::int64_t{offset} : offset;
  if (offset == 0) return base < 32 && (mask >> base & 1u) != 0 ? base : 0xffffffffu;
  for (std::int64_t bit = base; bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1u) != 0 && --left == 0) return static_cast<std::uint32_t>(bit);
  }
  return 0xffffffffu;
}

/// The register's value: a number of 16 bits is in its lower half.
template <class Value, class Register>
inline Value fromRegister(Register lane) {
  if constexpr (requires { Value::ofBits(lane); }) {
    return Value::ofBits(lane);
  } else {
    return static_cast<Value>(lane);
  }
}

template <class Register, class Value>
inline Register toRegister(Value value) {
  if constexpr (requires { value.bits; }) {
    return value.bits;
  } else {
    return static_cast<Register>(value);
  }
}

/// From 0 to 1; NaN gives 0.
template <class Small>
inline Small saturated(Small a) {
  const double value = a.value();
  return value > 0 ? Small::rounded(std::min(value, 1.0)) : Small{};
}

/// Not below 0; NaN stays.
template <class Small>
inline Small positive(Small a) {
  return a.value() <= 0 ? Small{} : a;
}

inline constexpr double kPi = 3.14159265358979323846;

/// sin(pi * a), from the part of a within its period, exact at whole and half numbers.
template <class T>
inline double sinePi(T a) {
  const double rest = std::remainder(static_cast<double>(a), 2.0);
  if (rest == std::trunc(rest)) return std::copysign(0.0, static_cast<double>(a));
  if (std::fabs(rest) > 0.5) return std::sin(kPi * (std::copysign(1.0, rest) - rest));
  return std::sin(kPi * rest);
}

template <class T>
inline double cosinePi(T a) {
  const double rest = std::fabs(std::remainder(static_cast<double>(a), 2.0));
  return rest == 0.5 ? 0.0 : std::sin(kPi * (0.5 - rest));
}

/// The number whose erfc is a, by Newton's method from an estimate (Abramowitz and Stegun, 26.2.23).
inline double inverseErfc(double a) {
  if (!(a > 0 && a < 2)) return a == 0 ? HUGE_VAL : a == 2 ? -HUGE_VAL : std::nan("");
  const double tail = std::min(a, 2 - a);
  const double t = std::sqrt(-2 * std::log(tail / 2));
  double x = (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))) /
             std::sqrt(2.0);
  for (int step = 0; step < 4; ++step) {
    const double excess = (std::erfc(x) - tail) * std::sqrt(kPi) / 2 * std::exp(x * x);
    x += excess / (1 + x * excess);
  }
  return a < 1 ? x : -x;
}

/// log |gamma(a)|; without the sign that C's lgamma leaves in a variable of all threads.
inline double logGamma(double a) {
#if defined(__GLIBC__)
  int sign = 0;
  return ::lgamma_r(a, &sign);
#else
  return std::lgamma(a);
#endif
}

/// The number whose erf is a; near 0 by the series, since 1 - a keeps too little of it there.
inline double inverseErf(double a) {
  if (std::fabs(a) > 0.25) return std::copysign(inverseErfc(1 - std::fabs(a)), a);
  double x = a * std::sqrt(kPi) / 2;
  for (int step = 0; step < 4; ++step) x -= (std::erf(x) - a) * std::sqrt(kPi) / 2 * std::exp(x * x);
  return x;
}

// Functions of one lane's values that are not operators: mathematics, atomics.

/// If the device's result differs, functions.def says by how much.
template <class T>
inline T math(typed::MathOp op, T a, T b, T c) {
  switch (op) {
// clang-format off
#define MATH(name, op, operands, rule) case typed::MathOp::op: return static_cast<T>(rule);
// clang-format on
#define PREDICATE(name, op, rule) case typed::MathOp::op:
#include "sim/language/check/functions.def"
    break;
  }
  return a;
}

template <class T>
inline bool test(typed::MathOp op, T a) {
#define PREDICATE(name, predicate, rule) \
  if (op == typed::MathOp::predicate) return rule;
#include "sim/language/check/functions.def"
  return false;
}

/// A reduction's result for two lanes.
inline std::uint32_t reduced(typed::VoteOp op, bool isSigned, std::uint32_t a, std::uint32_t b) {
  const bool less = isSigned ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  switch (op) {
// clang-format off
#define REDUCTION(name, op, origin, rule) case typed::VoteOp::op: return rule;
// clang-format on
#include "sim/language/check/functions.def"
    default: return 0;
  }
}

/// The value that an atomic stores when it finds `old`; `other` is the new value of a compare-and-swap.
template <class T>
inline T atomicResult(typed::AtomicOp op, T old, T operand, T other) {
  if constexpr (!std::is_integral_v<T>) {
    return op == typed::AtomicOp::Add ? old + operand : operand;  // Add and Exchange are all there are
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    switch (op) {
// clang-format off
#define ATOMIC(name, op, origin, rule) case typed::AtomicOp::op: return static_cast<T>(rule);
// clang-format on
#include "sim/language/check/functions.def"
    }
    return old;
  }
}

}  // namespace lanescope::lane

/// The functions of lane_functions.def as the machine calls them.
namespace lanescope {

/// dst = the function of a, b and c in the active lanes.
using LaneCall = void (*)(const WarpState& warp, const Instruction& instruction);

/// By the functions' numbers, which Instruction::imm names.
extern const std::array<LaneCall, kLaneFunctions.size()> kLaneCalls;

}  // namespace lanescope

namespace lanescope::lane {

/// dst = a * b + c, rounded once, in every lane; with the processor's own instruction if it has one. The
/// arrays have a warp's lanes each; dst may be one of the others.
void fusedMultiplyAdd(const LaneF32* a, const LaneF32* b, const LaneF32* c, LaneF32* dst);
void fusedMultiplyAdd(const LaneF64* a, const LaneF64* b, const LaneF64* c, LaneF64* dst);

/// A word of the state that cuRAND's curand_init gives an XORWOW generator: v[0] to v[4], and 5 for d.
/// `sequence` counts subsequences of the seed's numbers, each 2^67 long; `offset` numbers of it are skipped.
std::uint32_t xorwowWord(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset, std::size_t word);

/// A word of the state after `times` * 2^power steps, from a state that is 0 but for two words, v[first] (the
/// low half of `words`) and the next. `place`: first << 16 | the requested word << 8 | power, which is at
/// most 67.
std::uint32_t xorwowAdvanced(std::uint64_t words, std::uint64_t times, std::uint64_t place);

}  // namespace lanescope::lane
