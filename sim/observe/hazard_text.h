#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/observe/hazard_detector.h"

namespace lanescope {

/// The reports of findings: names, lines, a sentence and what to try. Where other warps race on the same
/// lines, the fix is __syncthreads() throughout.
std::vector<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared,
                             std::span<const Finding> findings);

/// The report of a fault, or nothing where a fault is no fault of the kernel (a stop).
std::optional<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared, const LaunchFault& fault,
                               std::uint32_t phase);

/// Where a finding's load and store are parts of one update (`x = x + 1`, `if (v > x) x = v`): the store.
std::optional<std::uint32_t> lostUpdateAt(const PreparedLaunch& prepared, const Finding& finding);

/// What to try against a finding that has an earlier access: one sentence. Its scope decides the barrier.
std::string fixOf(const Launch& launch, const PreparedLaunch& prepared, const Finding& finding);

}  // namespace lanescope
