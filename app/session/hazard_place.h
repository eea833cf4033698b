#pragma once

#include <cstdint>
#include <optional>

#include "sim/observe/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// Where a trace shows one side of a hazard, as Cursor::steps just behind it; nothing where it is of
/// another block, or was never traced. A lane that comes by several times is met where it asks for the
/// hazard's element in the hazard's phase.
std::optional<std::uint32_t> stepOf(const Trace& trace, const Hazard& hazard, const HazardAccess& access);

}  // namespace lanescope
