#pragma once

#include <cstdint>

#include "sim/trace/trace.h"

namespace lanescope {

/// Where a trace opens, as Cursor::steps: where there is something to see, with something still to come.
///
/// In the phase of the same kind and step size as `like`, unless all is over at its end, else in the first
/// that adds at a step size, after its first conflicted access (its first exchange, where none conflicts).
/// Where no phase has a step size, after the first such access of all. Where threads exchange nothing: where
/// half of the times are over that lanes of a warp leave a loop behind, else half of the accesses of global
/// memory.
std::uint32_t openingStep(const Trace& trace, const Phase* like = nullptr);

}  // namespace lanescope
