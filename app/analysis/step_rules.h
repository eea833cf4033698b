#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/counted.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// Facts about the steps of a trace that questions are made of.
inline bool accessesShared(const Step& step) { return isShared(step.kind); }
inline bool accessesGlobal(const Step& step) { return isGlobal(step.kind); }
inline bool accessesMemory(const Step& step) { return accessesShared(step) || accessesGlobal(step); }
inline bool writesMemory(const Step& step) { return isWrite(step.kind); }

/// The lanes of a mask, in order.
std::vector<std::uint32_t> listLanes(LaneMask mask);
/// The lanes of that step's warp that are active just before it; a barrier that they reached is open then.
LaneMask activeBefore(const Trace& trace, const Step& step);
/// The lanes that the warp has.
LaneMask allLanes(const Trace& trace, std::uint32_t warp);

/// The operation as the source writes it, on one line, in at most 60 bytes.
std::string machineCodeFor(const Trace& trace, const Step& step);
/// The line of the source that it is in, without its comment, in at most 60 bytes.
std::string findLine(const Trace& trace, const Step& step);

}  // namespace lanescope
