#pragma once

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>

namespace lanescope {

/// A floating number of 16 bits, as CUDA's half and __nv_bfloat16: a sign, an exponent, the rest. Its
/// arithmetic is that of double rounded once to nearest even. This is exact to the last bit for + - * / and
/// the square root, since a double has more than twice its digits plus two (Figueroa, "When is double
/// rounding innocuous?").
template <int kExponentBits>
struct SmallFloat {
  static constexpr int kFraction = 15 - kExponentBits;  ///< bits
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr std::uint32_t kInfinity = ((1u << kExponentBits) - 1) << kFraction;
  static constexpr std::uint32_t kNan = 0x7fff;  ///< the NaN of the hardware

  std::uint16_t bits = 0;

  static constexpr SmallFloat ofBits(std::uint32_t bits) { return {static_cast<std::uint16_t>(bits)}; }

  /// The value rounded once, in the mode of <cfenv>. Beyond the largest number it is infinite, or toward zero
  /// the largest.
  static SmallFloat rounded(double value, int mode = FE_TONEAREST) {
    if (std::isnan(value)) return ofBits(kNan);
    const bool isNegative = std::signbit(value);
    const std::uint32_t sign = isNegative ? 0x8000u : 0u;
    const double size = std::fabs(value);
    if (size == 0) return ofBits(sign);
    if (std::isinf(size)) return ofBits(sign | kInfinity);
    const int exponent = std::max(std::ilogb(size), 1 - kBias);
    if (exponent > kBias + 1)
      return ofBits(sign | (isUpward(mode, isNegative, 1) ? kInfinity : kInfinity - 1));
    const double steps = std::ldexp(size, kFraction - exponent);  // exact: in units of the last place
    const double whole = std::floor(steps);
    const double rest = steps - whole;
    const bool isOdd = std::fmod(whole, 2) != 0;
    const bool isTie = rest == 0.5;
    const bool nearestIsUp = rest > 0.5 || (isTie && isOdd);
    const bool up = rest > 0 && (mode == FE_TONEAREST ? nearestIsUp : isUpward(mode, isNegative, 0));
    const std::uint32_t result = (static_cast<std::uint32_t>(exponent + kBias - 1) << kFraction) +
                                 static_cast<std::uint32_t>(whole) + (up ? 1u : 0u);
    if (result < kInfinity) return ofBits(sign | result);
    return ofBits(sign | (isUpward(mode, isNegative, 1) ? kInfinity : kInfinity - 1));
  }

  /// Exact.
  double value() const {
    const int exponent = bits >> kFraction & ((1 << kExponentBits) - 1);
    const int fraction = bits & ((1 << kFraction) - 1);
    double size = 0;
    if (exponent == (1 << kExponentBits) - 1) {
      size = fraction != 0 ? std::nan("") : HUGE_VAL;
    } else if (exponent == 0) {
      size = std::ldexp(fraction, 1 - kBias - kFraction);
    } else {
      size = std::ldexp(fraction + (1 << kFraction), exponent - kBias - kFraction);
    }
    return (bits & 0x8000u) != 0 ? -size : size;
  }

  friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return rounded(a.value() + b.value()); }
  friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return rounded(a.value() - b.value()); }
  friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return rounded(a.value() * b.value()); }
  friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return rounded(a.value() / b.value()); }
  SmallFloat operator-() const { return ofBits(bits ^ 0x8000u); }

 private:
  /// True if the mode rounds away from zero. `nearest` is the result of to-nearest here.
  static bool isUpward(int mode, bool isNegative, int nearest) {
    if (mode == FE_TONEAREST) return nearest != 0;
    return (mode == FE_UPWARD && !isNegative) || (mode == FE_DOWNWARD && isNegative);
  }
};

using Half = SmallFloat<5>;
using BFloat16 = SmallFloat<8>;

/// a * b + c rounded once: the product is exact in double. The sum is cut there, and its last bit is made odd
/// if something was lost, so that the second rounding sees it (Boldo and Melquiond, "Emulation of FMA").
template <int kExponentBits>
SmallFloat<kExponentBits> fusedMultiplyAdd(SmallFloat<kExponentBits> a, SmallFloat<kExponentBits> b,
                                           SmallFloat<kExponentBits> c) {
  const double product = a.value() * b.value();
  const double added = c.value();
  double sum = product + added;
  if (std::isfinite(sum)) {
    const double back = sum - product;
    const double lost = (product - (sum - back)) + (added - back);
    // If something is lost, the sum is not 0.
    const bool isEven = lost != 0 && std::fmod(std::ldexp(sum, 52 - std::ilogb(sum)), 2) == 0;
    if (isEven) sum = std::nextafter(sum, lost > 0 ? HUGE_VAL : -HUGE_VAL);
  }
  return SmallFloat<kExponentBits>::rounded(sum);
}

/// The whole number as a double whose last bit is odd if digits are lost: it then rounds to the same value as
/// the number itself.
inline double oddDouble(std::uint64_t number) {
  if (number >> 53 == 0) return static_cast<double>(number);
  const std::uint64_t kept = number >> 11 | ((number & 0x7ffu) != 0 ? 1u : 0u);
  return static_cast<double>(kept) * 2048;
}
inline double oddDouble(std::int64_t number) {
  const auto size = static_cast<std::uint64_t>(number);
  return number < 0 ? -oddDouble(0 - size) : oddDouble(size);
}

}  // namespace lanescope
