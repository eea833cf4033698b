#pragma once

#include "sim/machine/run/warp_state.h"

namespace lanescope::lane {

/// dst = a * b + c, rounded once, in every lane; with the processor's own instruction if it has one. The
/// arrays have a warp's lanes each; dst may be one of the others.
void fusedMultiplyAdd(const LaneF32* a, const LaneF32* b, const LaneF32* c, LaneF32* dst);
void fusedMultiplyAdd(const LaneF64* a, const LaneF64* b, const LaneF64* c, LaneF64* dst);

}  // namespace lanescope::lane
