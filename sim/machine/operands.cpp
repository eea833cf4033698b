#include "sim/machine/operands.h"

#include <algorithm>

namespace lanescope {
namespace {

/// Registers of a value of an operation's type, by its name: Add32, LtU64, MulF64.
std::uint32_t widthOf(std::string_view name) { return name.ends_with("64") ? 2 : 1; }

Operands threeOperands(const Instruction& i, std::uint32_t from, std::uint32_t to) {
  return {{{{i.a, from}, {i.b, from}}}, {i.dst, to}};
}

Operands unaryOperands(const Instruction& i) {
  const std::string_view name = opName(i.op);
  std::uint32_t from = widthOf(name);
  std::uint32_t to = from;
  if (const std::size_t between = name.find("To"); between != std::string_view::npos) {
    from = widthOf(name.substr(0, between));
  } else if (i.op == Op::Truncate64) {
    to = 1;
  }
  return {{{{i.a, from}}}, {i.dst, to}};
}

Operands memoryOperands(const Instruction& i) {
  const auto vector = [&] {
    const VectorShape shape = VectorShape::of(i.imm);
    return std::uint32_t{shape.elements} * (shape.elementBytes == 8 ? 2 : 1);
  };
  switch (i.op) {
    case Op::LoadVector: return {{{{i.a, 2}}}, {i.dst, vector()}};
    case Op::StoreVector: return {{{{i.a, 2}, {i.b, vector()}}}, {}};
    case Op::Atomic: return {{{{i.a, 2}, {i.b, 2}, {i.c, 2}, {i.dst, 2}}}, {i.dst, 2}};
    default: break;
  }
  const std::uint32_t width = widthOf(opName(i.op));
  if (i.op >= Op::Store8) return {{{{i.a, 2}, {i.b, width}}}, {}};
  return {{{{i.a, 2}}}, {i.dst, width}};
}

Operands otherOperands(const Instruction& i, const Bytecode& code) {
  const std::uint32_t width = widthOf(opName(i.op));
  switch (i.op) {
    case Op::Select32:
    case Op::Select64: return {{{{i.a, 1}, {i.b, width}, {i.c, width}}}, {i.dst, width}};
    case Op::OffsetI32:
    case Op::OffsetU32: return {{{{i.a, 2}, {i.b, 1}}}, {i.dst, 2}};
    case Op::Offset64:
    case Op::PointerDifference: return threeOperands(i, 2, 2);
    case Op::Print: {
      const auto& format = code.formats[static_cast<std::size_t>(i.imm)];
      return {{{{i.a, static_cast<std::uint32_t>(2 * format.conversions.size())}}}, {}};
    }
    case Op::IfBegin:
    case Op::LoopTest:
    case Op::SwitchCase:
    case Op::WarpBarrier:
    case Op::Assert: return {{{{i.a, 1}}}, {}};
    case Op::BlockBarrier: return {{{{i.a, i.imm == 0 ? 0u : 1u}}}, {i.dst, i.imm == 0 ? 0u : 1u}};
    default:
      // Shuffles, votes, mathematics, bits: lanes that take no part keep what they had.
      return {{{{i.a, 2}, {i.b, 2}, {i.c, 2}, {i.d, 1}, {i.dst, 2}}}, {i.dst, 2}};
  }
}

/// What fuse() makes.
Operands fusedOperands(const Instruction& i) {
  const bool isWide = i.op == Op::LoadWideAtI32 || i.op == Op::LoadWideAtU32 || i.op == Op::StoreWideAtI32 ||
                      i.op == Op::StoreWideAtU32;
  const std::uint32_t width = isWide ? 2 : 1;
  if (i.op <= Op::LoadWideAtU32) return {{{{i.a, 2}, {i.b, 1}}}, {i.dst, width}};
  if (i.op <= Op::StoreWideAtU32) return {{{{i.a, 2}, {i.b, 1}, {i.c, width}}}, {}};
  return {{{{i.a, 1}, {i.b, 1}}}, {}};
}

}  // namespace

Operands operandsOf(const Instruction& i, const Bytecode& code) {
  const std::uint32_t width = widthOf(opName(i.op));
  if (i.op == Op::Move32 || i.op == Op::Move64) return {{{{i.a, width}}}, {i.dst, width}};
  if (i.op <= Op::Merge64) return {{{{i.a, width}, {i.dst, width}}}, {i.dst, width}};
  if (i.op <= Op::MaxF64) return threeOperands(i, width, width);
  if (i.op <= Op::NeF64) return threeOperands(i, width, 1);
  if (i.op >= Op::NegF32 && i.op <= Op::F64ToF32) return unaryOperands(i);
  if (i.op >= Op::LoadI8 && i.op <= Op::Atomic) return memoryOperands(i);
  if (i.op >= Op::LoadAtI32) return fusedOperands(i);
  if (i.op >= Op::Jump && i.op != Op::IfBegin && i.op != Op::LoopTest && i.op != Op::SwitchCase &&
      i.op != Op::BlockBarrier && i.op != Op::WarpBarrier && i.op != Op::Print && i.op != Op::Assert) {
    return {};
  }
  return otherOperands(i, code);
}

}  // namespace lanescope
