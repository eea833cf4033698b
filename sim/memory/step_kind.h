#pragma once

#include <cstddef>
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
  Vote,          ///< what lanes make of a value of each: __ballot_sync, __reduce_add_sync, __activemask
  Branch,        ///< a condition of if, loop, ?: or switch was decided
  Assign,        ///< a variable got a value
  BlockBarrier,  ///< __syncthreads: the warp arrives
  WarpBarrier,   ///< __syncwarp
  Print,         ///< printf
  Exit,          ///< the warp's last lane left the kernel
  Fault,         ///< the operation that ended the block: it was not done
};
constexpr std::size_t kStepKinds = static_cast<std::size_t>(StepKind::Fault) + 1;

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

/// Loads, stores and atomics of one memory. A load of constant memory is of neither.
constexpr bool isShared(StepKind kind) {
  return kind == StepKind::SharedLoad || kind == StepKind::SharedStore || kind == StepKind::SharedAtomic;
}
constexpr bool isGlobal(StepKind kind) {
  return kind == StepKind::GlobalLoad || kind == StepKind::GlobalStore || kind == StepKind::GlobalAtomic;
}
/// Of any memory.
constexpr bool isAccess(StepKind kind) {
  return isShared(kind) || isGlobal(kind) || kind == StepKind::ConstantLoad;
}
/// Reads and writes in one: an atomic of either memory.
constexpr bool isAtomic(StepKind kind) {
  return kind == StepKind::SharedAtomic || kind == StepKind::GlobalAtomic;
}
/// Changes a word of either memory: a store or an atomic.
constexpr bool isWrite(StepKind kind) {
  return kind == StepKind::SharedStore || kind == StepKind::GlobalStore || isAtomic(kind);
}
/// What an access does.
constexpr AccessKind toAccessKind(StepKind kind) {
  if (isAtomic(kind)) return AccessKind::Atomic;
  return isWrite(kind) ? AccessKind::Store : AccessKind::Load;
}
/// An access of shared or of global memory.
constexpr StepKind toStepKind(AccessKind kind, bool isOfShared) {
  switch (kind) {
    case AccessKind::Load: return isOfShared ? StepKind::SharedLoad : StepKind::GlobalLoad;
    case AccessKind::Store: return isOfShared ? StepKind::SharedStore : StepKind::GlobalStore;
    case AccessKind::Atomic: break;
  }
  return isOfShared ? StepKind::SharedAtomic : StepKind::GlobalAtomic;
}

}  // namespace lanescope
