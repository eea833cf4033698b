#pragma once

#include <cstdint>

#include "sim/trace/trace.h"

namespace lanescope {

/// The opening place of a trace, as Cursor::steps: with something to see, and something still to come.
///
/// In the phase of the same kind and step size as `like`, unless all is over at its end, else in the first
/// that adds at a step size, after its first conflicted access (its first exchange, if none conflicts). If no
/// phase has a step size, after the first such access of all. If threads exchange nothing: after half of the
/// times that lanes of a warp leave a loop, else after half of the accesses to global memory.
std::uint32_t openingStep(const Trace& trace, const Phase* like = nullptr);

}  // namespace lanescope
