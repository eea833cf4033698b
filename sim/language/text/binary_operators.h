#pragma once

#include <array>
#include <string_view>

namespace lanescope {

/// Binary operators by binding strength, weakest first, for expressions and for `#if`.
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
