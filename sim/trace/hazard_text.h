#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace/hazard_detector.h"

namespace lanescope {

/// The reports of findings: names, lines, a sentence and the advice. If other warps race on the same lines,
/// the fix is __syncthreads() throughout.
std::vector<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared,
                             const HazardDetector::Findings& findings);

/// The report of a fault; nullopt if the kernel is not at fault (a stop).
std::optional<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared, const LaunchFault& fault,
                               std::uint32_t phase);

}  // namespace lanescope
