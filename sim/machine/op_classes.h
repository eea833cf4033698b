#pragma once

#include "sim/machine/bytecode.h"

/// What kind of thing an operation does, where a scheduler or a detector must know.
namespace lanescope {

constexpr bool isLoading(Op op) { return (op >= Op::LoadI8 && op <= Op::Load64) || op == Op::LoadVector; }
constexpr bool isStoring(Op op) { return (op >= Op::Store8 && op <= Op::Store64) || op == Op::StoreVector; }

/// Reads or writes memory that other threads may see.
constexpr bool isAccess(Op op) { return isLoading(op) || isStoring(op) || op == Op::Atomic; }

constexpr bool isShuffle(Op op) { return op == Op::Shuffle32 || op == Op::Shuffle64; }

/// Exchanges registers among the lanes of a warp that Instruction::d names. __activemask() names none:
/// it tells what lanes happen to be there.
constexpr bool isExchange(const Instruction& i) {
  const bool isVote = i.op == Op::Vote32 || i.op == Op::Vote64;
  return isShuffle(i.op) ||
         (isVote && ExchangeShape::of(i.imm).kind != static_cast<int>(typed::VoteOp::ActiveMask));
}

/// An exchange whose operand a is 64 bits wide; one whose result is.
constexpr bool takesWide(Op op) { return op == Op::Shuffle64 || op == Op::Vote64; }
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

/// How many of a, b and c an operation that is no control reads. A vector's further registers, and
/// what an atomic gives back, are left out.
constexpr unsigned operandCount(const Instruction& i) {
  if (i.op <= Op::Merge64 || (i.op >= Op::NegF32 && i.op <= Op::F64ToF32) || isLoading(i.op)) return 1;
  if (i.op == Op::Bits32 || i.op == Op::Bits64) return 1;
  if (i.op == Op::Select32 || i.op == Op::Select64) return 3;
  if (i.op == Op::Atomic) return AtomicShape::of(i.imm).op == typed::AtomicOp::CompareSwap ? 3 : 2;
  if (i.op == Op::MathF32 || i.op == Op::MathF64) return 3;  // those unused name register 0, a parameter
  return 2;
}

/// Adds floating values in an order that nobody chooses.
constexpr bool sumsFloats(const Instruction& i) {
  if (i.op != Op::Atomic) return false;
  const AtomicShape shape = AtomicShape::of(i.imm);
  return shape.op == typed::AtomicOp::Add && (shape.type == Type::Kind::F32 || shape.type == Type::Kind::F64);
}

/// Gives the kernel something that tells the order it runs in: the old value of an atomic, __activemask().
constexpr bool tellsOrder(const Instruction& i) {
  if (i.op == Op::Atomic) return AtomicShape::of(i.imm).isResultUsed;
  const bool isVote = i.op == Op::Vote32 || i.op == Op::Vote64;
  return isVote && !isExchange(i);
}

}  // namespace lanescope
