#pragma once

#include <cstdint>

#include "kernels/strategies/catalogue.h"
#include "sim/machine/launch.h"

namespace lanescope {

/// The launch of a strategy over `n` hashed floats (0 to 99) with `blocks` blocks; a transpose or a
/// picture has as many as its tiles (blocks = 1). Errors: those of shapeOverBlocks (kernels/strategies).
Result<Launch> launchOf(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                        const MachineModel& machine);

}  // namespace lanescope
