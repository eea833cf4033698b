#pragma once

#include "kernels/strategies/variant.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// The launch of an experiment's variant in the simulator: over the experiment's smaller N, with its block
/// and, of a kernel that strides over its grid, the blocks of one SM, on the first machine (`nvidia`).
/// Errors: those of shapeOfThreads.
Result<Launch> launchOf(const Variant& variant, const Experiment& experiment);

}  // namespace lanescope
