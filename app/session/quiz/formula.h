#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lanescope {

/// A formula as it may be typed, without blanks and with `*` for every times sign: `a4 x a12` gives `a4*a12`.
std::string plainFormula(std::string_view typed);

/// Whether two plain formulas over elements, such as `(a0-a1)*a2` and `a2*a0-a1*a2`, have one value whatever
/// the elements hold: both are computed for many values. Known are + - *, min, max, f for an operator without
/// a sign, and numbers. Nothing where one of them is no such formula.
std::optional<bool> areSameFormula(std::string_view left, std::string_view right);

}  // namespace lanescope
