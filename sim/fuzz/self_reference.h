#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/diagnostic.h"

namespace lanescope::fuzz {

/// A text whose declarations name each other and themselves: templates, aliases, macros, includes, constants,
/// classes, concepts, functions and their default arguments. Each byte decides one choice; without more bytes
/// the text ends soon.
SourceText selfReferringText(std::span<const std::uint8_t> choices);

}  // namespace lanescope::fuzz
