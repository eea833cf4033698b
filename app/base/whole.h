#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace lanescope {

/// The whole part of a value, towards zero. Outside of the type's range the nearest value in it; 0 for
/// NaN. All of `app/` takes integers from floats by it (`lint.casts`): a bare cast of a negative
/// room, of an infinite time or of NaN is undefined.
template <std::integral Whole, std::floating_point Value>
constexpr Whole toWhole(Value value) {
  constexpr Whole kLeast = std::numeric_limits<Whole>::min();
  constexpr Whole kMost = std::numeric_limits<Whole>::max();
  constexpr Whole kHalf = kMost / 2 + 1;  // a power of two: exact
  constexpr Value kEnd = 2 * static_cast<Value>(kHalf);
  if (value >= kEnd) return kMost;
  if (value > static_cast<Value>(kLeast)) return static_cast<Whole>(value);
  return value <= 0 ? kLeast : Whole{0};  // NaN is neither
}

/// The nearest whole number, as toWhole(); of two, the one farther from zero.
template <std::integral Whole, std::floating_point Value>
Whole roundToWhole(Value value) {
  return toWhole<Whole>(std::round(value));
}

/// How many steps cover a length, the last one in part: dashes of a line, for one. At most `most`; none
/// unless both are over 0.
template <std::floating_point Value>
std::uint32_t countSteps(Value length, Value step, std::uint32_t most = 4096) {
  if (!(length > 0 && step > 0)) return 0;
  return std::min(toWhole<std::uint32_t>(std::ceil(length / step)), most);
}

}  // namespace lanescope
