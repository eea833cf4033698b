#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "sim/language/text/token.h"

namespace lanescope {

/// The value of the tokens after `#if`, with macros replaced and `defined` decided: integers and the
/// operators of C. Remaining names are 0. Empty if the condition is not valid.
std::optional<std::int64_t> valueOfCondition(std::span<const Token> tokens);

}  // namespace lanescope
