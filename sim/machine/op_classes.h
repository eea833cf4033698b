#pragma once

#include "sim/machine/bytecode.h"

/// What kind of thing an operation does, where a scheduler or a detector must know.
namespace lanescope {

constexpr bool isLoading(Op op) { return op >= Op::LoadI8 && op <= Op::Load64; }
constexpr bool isStoring(Op op) { return op >= Op::Store8 && op <= Op::Store64; }

/// Reads or writes memory that other threads may see.
constexpr bool isAccess(Op op) { return isLoading(op) || isStoring(op); }

/// Exchanges registers among the lanes of a warp; Instruction::d names the lanes.
constexpr bool isExchange(const Instruction& i) { return i.op == Op::Shuffle32 || i.op == Op::Shuffle64; }

/// An exchange whose operand a is 64 bits wide; one whose result is.
constexpr bool takesWide(Op op) { return op == Op::Shuffle64; }
constexpr bool givesWide(Op op) { return op == Op::Shuffle64; }

/// Where the lanes of a warp wait for each other.
constexpr bool isMeeting(const Instruction& i) { return isExchange(i) || i.op == Op::WarpBarrier; }

constexpr typed::ShuffleKind shuffleKind(const Instruction& i) {
  return static_cast<typed::ShuffleKind>(ExchangeShape::of(i.imm).kind);
}

/// Decides what runs next; no value comes of it.
constexpr bool isControl(Op op) { return op >= Op::Jump; }

/// Writes the active lanes of its result only.
constexpr bool isMasked(Op op) {
  return op == Op::Set32 || op == Op::Set64 || op == Op::Merge32 || op == Op::Merge64;
}

/// How many of a, b and c an operation that is no control reads.
constexpr unsigned operandCount(Op op) {
  if (op <= Op::Merge64 || (op >= Op::NegF32 && op <= Op::F64ToF32) || isLoading(op)) return 1;
  return op == Op::Select32 || op == Op::Select64 ? 3 : 2;
}

/// Adds floating values in an order that nobody chooses.
constexpr bool sumsFloats(const Instruction& /*i*/) { return false; }

}  // namespace lanescope
