#pragma once

#include <cstdint>

namespace lanescope {

/// What one warp does at one operation of the source: what is counted, and a step of a trace.
enum class StepKind : std::uint8_t {
  SharedLoad,
  SharedStore,
  SharedAtomic,
  GlobalLoad,
  GlobalStore,
  GlobalAtomic,
  ConstantLoad,  ///< of a `__constant__` variable, through the constant cache
  Shuffle,
  Branch,        ///< a condition of if, loop, ?: or switch was decided
  Assign,        ///< a variable got a value
  BlockBarrier,  ///< __syncthreads: the warp arrives
  WarpBarrier,   ///< __syncwarp
  Exit,          ///< the warp's last lane left the kernel
  Fault,         ///< what ended the block: it was not done
};

}  // namespace lanescope
