#pragma once

#include <cstdint>

#include "kernels/strategies/catalogue.h"
#include "sim/machine/launch.h"

namespace lanescope {

/// The launch that reduces `n` hashed floats (0 to 99) to `blocks` block sums with a strategy.
/// Argument 0 is the input, argument 1 the block sums. Errors, one sentence each: n not divisible by
/// blocks, threads a block not a power of two, 0, or over 1024.
Result<Launch> launchOf(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                        const MachineModel& machine);

}  // namespace lanescope
