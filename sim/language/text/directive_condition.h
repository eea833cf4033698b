#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/language/text/token.h"

namespace lanescope {

/// The value of what is behind `#if`, its macros replaced and `defined` decided: integers and the
/// operators of C over them; names that are left are 0. Nothing where it is not understood.
std::optional<std::int64_t> valueOfCondition(std::span<const Token> tokens);

}  // namespace lanescope
