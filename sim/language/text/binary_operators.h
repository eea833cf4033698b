#pragma once

#include <array>
#include <string_view>

namespace lanescope {

/// Binary operators by binding strength, weakest first: of expressions and of `#if` alike.
inline constexpr std::array<std::array<std::string_view, 4>, 10> kBinaryOperators = {{
    {"||"},
    {"&&"},
    {"|"},
    {"^"},
    {"&"},
    {"==", "!="},
    {"<", ">", "<=", ">="},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
}};

}  // namespace lanescope
