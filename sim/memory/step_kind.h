#pragma once

#include <cstdint>

namespace lanescope {

/// The work of one warp at one operation of the source: the unit of counting, and a step of a trace.
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
  Fault,         ///< the operation that ended the block: it was not done
};

}  // namespace lanescope
