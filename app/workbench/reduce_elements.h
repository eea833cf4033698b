#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/strategies/element_type.h"

namespace lanescope {

/// How a strategy makes one value of many.
enum class Reduction : std::uint8_t { Sum, Product, Minimum, Maximum };

/// `sum`: the name of its result.
constexpr std::string_view findNoun(Reduction reduction) {
  switch (reduction) {
    case Reduction::Sum: return "sum";
    case Reduction::Product: return "product";
    case Reduction::Minimum: return "minimum";
    case Reduction::Maximum: break;
  }
  return "maximum";
}

/// Some elements under one operator, in double; of ints as they wrap.
struct Reduced {
  double value = 0;
  /// The result over the magnitudes, a 0 left out of a product: no partial result of whole numbers is larger.
  double magnitude = 0;
};

/// `get(i)` for i from 0 to count - 1, count at least 1.
template <class Get>
Reduced reduceElements(Reduction reduction, ElementType type, std::uint64_t count, Get get) {
  const bool isProduct = reduction == Reduction::Product;
  Reduced all{get(std::uint64_t{0}), 0};
  const auto computeMagnitude = [isProduct](double value) {
    return isProduct && value == 0 ? 1 : std::abs(value);
  };
  const auto computeBits = [](double value) {
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  };
  const bool wraps = type == ElementType::Int && (isProduct || reduction == Reduction::Sum);
  all.magnitude = computeMagnitude(all.value);
  std::uint32_t bits = wraps ? computeBits(all.value) : 0;
  for (std::uint64_t i = 1; i < count; ++i) {
    const double value = get(i);
    switch (reduction) {
      case Reduction::Sum: all.value += value; break;
      case Reduction::Product: all.value *= value; break;
      case Reduction::Minimum: all.value = std::min(all.value, value); break;
      case Reduction::Maximum: all.value = std::max(all.value, value); break;
    }
    if (isProduct)
      all.magnitude *= computeMagnitude(value);
    else
      all.magnitude += computeMagnitude(value);
    if (wraps) bits = isProduct ? bits * computeBits(value) : bits + computeBits(value);
  }
  if (wraps) all.value = static_cast<std::int32_t>(bits);
  return all;
}

/// The largest difference of a right result of `count` elements from the one in double. 0 for ints, for a
/// minimum or a maximum, and if no partial result of whole numbers can be too large for the type to hold
/// exactly: 2^24 in float, 2^53 in double. Above, n - 1 operations are off by at most (n - 1) u of the
/// magnitude, in any order (Jeannerod and Rump, "Improved error bounds for inner products in floating-point
/// arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013). Nullopt if the type may overflow.
inline std::optional<double> computeTolerance(Reduction reduction, ElementType type, std::uint64_t count,
                                              const Reduced& expected) {
  const bool isFloat = type == ElementType::Float;
  const bool rounds = reduction == Reduction::Sum || reduction == Reduction::Product;
  if (type == ElementType::Int || !rounds) return 0;
  if (expected.magnitude <= (isFloat ? 0x1p24 : 0x1p53)) return 0;
  if (!(expected.magnitude < (isFloat ? 0x1p127 : 0x1p1000))) return std::nullopt;
  return static_cast<double>(count) * (isFloat ? 0x1p-24 : 0x1p-53) * expected.magnitude;
}

}  // namespace lanescope
