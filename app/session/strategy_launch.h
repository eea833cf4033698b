#pragma once

#include <cstdint>

#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/shape.h"
#include "sim/machine/launch.h"

namespace lanescope {

/// The type of a buffer's elements.
ArgumentType argumentTypeOf(ElementType type);
/// Whether a parameter is a buffer of elements: a counter is not.
bool isOfElements(Parameter parameter);

/// The launch of a strategy over `n` hashed elements (0 to 99) with `blocks` blocks; a transpose or a
/// picture has as many as its tiles (blocks = 1). The text is that for the type of element. Errors: those of
/// shapeOverBlocks (kernels/strategies).
Result<Launch> launchOf(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                        const MachineModel& machine, ElementType type = ElementType::Float);
/// The same for a shape that was chosen already.
Launch launchOf(const Strategy& strategy, const StrategyShape& shape, const MachineModel& machine);

}  // namespace lanescope
