#pragma once

#include "sim/machine/run/prepare.h"

namespace lanescope {

/// A prepared kernel's code, rewritten so that runs which only count take fewer steps: values that follow
/// from the launch alone (`blockDim.x >= 512`) are computed here, an address is computed by the load or store
/// that uses it, and a comparison by the branch. Results and counters stay the same. Not for observed runs,
/// which listen to the single instructions.
Bytecode fused(const PreparedLaunch& prepared, const Launch& launch);

}  // namespace lanescope
