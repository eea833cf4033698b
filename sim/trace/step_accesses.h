#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// Loads, stores and atomics of one memory.
bool isShared(StepKind kind);
bool isGlobal(StepKind kind);

/// What each lane of a step asked of memory.
std::span<const LaneAccess> accessesOf(const Trace& trace, const Step& step);
/// The lanes that each pass of a shared access serves (bankPasses in sim/memory/shared_banks.h).
std::vector<LaneMask> passesOf(const Trace& trace, const Step& step);
/// The sectors that a global access touches, numbered from its buffer's start, sorted; none for any other.
std::vector<std::uint32_t> sectorsTouched(const Trace& trace, const Step& step);

}  // namespace lanescope
