#pragma once

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "sim/machine/run/lane_operations.h"
#include "sim/memory/small_float.h"

/// The parts of the rules in functions.def and lane_functions.def that need more than one line.
namespace lanescope::lane {

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

}  // namespace lanescope::lane
