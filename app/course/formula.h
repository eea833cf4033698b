#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lanescope {

/// A formula as it may be typed, without blanks and with `*` for every times sign: `a4 x a12` gives `a4*a12`.
std::string plainFormula(std::string_view typed);

/// True if two plain formulas over elements, such as `(a0-a1)*a2` and `a2*a0-a1*a2`, have one value for all
/// values of the elements: both are computed for many values. Supported are + - *, min, max, f for an
/// operator without a sign, and numbers. Nullopt if one of them is not such a formula.
std::optional<bool> areSameFormula(std::string_view left, std::string_view right);

}  // namespace lanescope
