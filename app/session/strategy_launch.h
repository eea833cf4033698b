#pragma once

#include <cstdint>

#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
#include "sim/machine/launch.h"

namespace lanescope {

/// The launch of a strategy over `n` hashed floats (0 to 99) with `blocks` blocks; a transpose or a
/// picture has as many as its tiles (blocks = 1). Errors: those of shapeOverBlocks (kernels/strategies).
Result<Launch> launchOf(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                        const MachineModel& machine);
/// The same for a shape that was chosen already.
Launch launchOf(const Strategy& strategy, const StrategyShape& shape, const MachineModel& machine);

}  // namespace lanescope
