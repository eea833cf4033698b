#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope {

/// The type that replaces `float` in a strategy's text.
enum class ElementType { Float, Double, Int };

/// `float`, `double`, `int`.
std::string_view elementTypeName(ElementType type);
/// 4, 8, 4.
std::uint64_t elementBytes(ElementType type);

}  // namespace lanescope
