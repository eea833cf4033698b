#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// By word of the cells [first, first + count): the element that it is of, counted from the first. The two
/// words of a double are of one element.
std::vector<std::uint32_t> elementsOf(const Trace& trace, std::uint32_t first, std::uint32_t count);

}  // namespace lanescope
