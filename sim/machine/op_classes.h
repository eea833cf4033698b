#pragma once

#include "sim/machine/bytecode.h"

/// What kind of thing an operation does, where a scheduler or a detector must know.
namespace lanescope {

/// Reads or writes memory that other threads may see.
constexpr bool isAccess(Op op) { return op >= Op::LoadI8 && op <= Op::Store64; }

/// Exchanges registers among the lanes of a warp; Instruction::d names the lanes.
constexpr bool isExchange(Op op) { return op == Op::Shuffle32 || op == Op::Shuffle64; }

/// An exchange whose value and result are 64 bits wide.
constexpr bool isWideExchange(Op op) { return op == Op::Shuffle64; }

/// Where the lanes of a warp wait for each other.
constexpr bool isMeeting(Op op) { return isExchange(op) || op == Op::WarpBarrier; }

/// Adds floating values in an order that nobody chooses.
constexpr bool sumsFloats(const Instruction& /*i*/) { return false; }

}  // namespace lanescope
