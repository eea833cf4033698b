#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/base/whole.h"
#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/element_type.h"
#include "sim/trace/run.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The last write of an element: its thread and place.
struct ResultWrite {
  std::uint32_t steps = 0;  ///< as Cursor::steps, just after it
  std::uint32_t thread = 0;
};

/// For an element of a buffer argument; nullopt if the traced block does not write it.
std::optional<ResultWrite> findLastWrite(const Trace& trace, std::size_t argument, std::uint64_t element);

/// The elements a0 to a(n - 1) of the buffer argument `input` that the last value of `output`[0] was not made
/// of, or more than once, as `a1, a3 and a5 are not in it`. Empty if it has each of them once, if nothing in
/// the trace writes it, or if another operator than `joins` made it last.
std::string missingElementsText(const Trace& trace, std::size_t output, std::size_t input,
                                Provenance::Kind joins, std::uint32_t n);

/// The result of a strategy's launch, compared with the strategy's purpose.
struct ResultCheck {
  bool isRight = true;
  /// `The result is 1953, but the sum of the 64 elements is 2016.`; if it is right `The result is 2016, the
  /// sum of the 64 elements.`, or `The result is 51890380, within the rounding error of the sum of the
  /// 1048576 elements, 51886472.`
  std::string sentence;
  std::string fix;            ///< for a wrong one: the place to look at, one sentence
  std::size_t output = 0;     ///< the argument that holds it
  std::uint64_t element = 0;  ///< its first wrong element; for a reduction the (first) result
};

/// Compares a launch's result with the strategy's, computed anew from the elements as they start; for a
/// reduction by the operator that the kernel's name has. The text may be edited: the strategy's head gives
/// the expected result. Ints are compared as they wrap; so are whole numbers that float or double holds
/// exactly; larger floats may be off by what n additions (or products) can round.
///
/// Nullopt if no result is expected: another kernel of the text, arguments that are not the strategy's, a
/// product that no float holds. For a wrong sum or product the trace shows which elements are missing; if the
/// run has none, the block is recorded once more. The run must have its buffers still.
std::optional<ResultCheck> checkResult(const Strategy& strategy, const Run& run);

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
    return static_cast<std::uint32_t>(toWhole<std::int64_t>(value));
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
