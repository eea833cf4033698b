#include "sim/machine/compile/operands.h"

#include "sim/machine/compile/op_classes.h"

namespace lanescope {
namespace {

/// For operand number `which`, or for the result.
std::uint32_t countRegisters(std::uint8_t width, std::size_t which, const Instruction& i,
                             const Bytecode& code) {
  switch (width) {
    case OpInfo::kLane: {
      const LaneFunction& function = kLaneFunctions[static_cast<std::size_t>(i.imm)];
      if (which >= function.count()) return 0;
      return isWide(function.operands[which]) ? 2 : 1;
    }
    case OpInfo::kVector: {
      const VectorShape shape = VectorShape::of(i.imm);
      return std::uint32_t{shape.elements} * (shape.elementBytes == 8 ? 2 : 1);
    }
    case OpInfo::kStack: return static_cast<std::uint32_t>(i.imm);
    case OpInfo::kBarrier: return i.imm == 0 ? 0 : 1;
    case OpInfo::kPrint:
      return static_cast<std::uint32_t>(2 * code.formats[static_cast<std::size_t>(i.imm)].conversions.size());
    default: return width;
  }
}

}  // namespace

Operands readOperands(const Instruction& i, const Bytecode& code) {
  const OpInfo& info = findInfo(i.op);
  const auto range = [&](std::uint16_t first, std::uint8_t width, std::size_t which) {
    const std::uint32_t count = countRegisters(width, which, i, code);
    return count == 0 ? RegisterRange{} : RegisterRange{first, count};
  };
  Operands operands{
      {{range(i.a, info.a, 0), range(i.b, info.b, 1), range(i.c, info.c, 2), range(i.d, info.d, 3)}},
      range(i.dst, info.dst, 0)};
  if (keepsLanes(i.op)) operands.reads[4] = operands.writes;
  return operands;
}

}  // namespace lanescope
