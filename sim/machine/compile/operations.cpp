#include "sim/machine/compile/operations.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/diagnostic.h"
#include "sim/memory/address.h"

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

const LocalVariable* localAt(const Bytecode& code, std::uint64_t address) {
  const FoundLocal found = findLocal(code, localIndex(address));
  return found.local < code.locals.size() ? &code.locals[found.local] : nullptr;
}

std::vector<Loop> loopsAround(const Bytecode& code, std::uint32_t pc) {
  std::vector<Loop> loops;
  for (std::uint32_t end = pc; end < code.code.size(); ++end) {
    const Instruction& i = code.code[end];
    if (i.op == Op::Jump && i.imm <= pc) loops.push_back({static_cast<std::uint32_t>(i.imm), end, i.site});
  }
  return loops;
}

std::optional<Loop> loopAround(const Bytecode& code, std::uint32_t low, std::uint32_t high) {
  const std::vector<Loop> loops = loopsAround(code, high);
  const auto found = std::ranges::find_if(loops, [low](const Loop& loop) { return loop.top <= low; });
  return found == loops.end() ? std::nullopt : std::optional(*found);
}

std::string loopsText(const SourceText& source, const Bytecode& code, const std::vector<Loop>& loops) {
  std::string text;
  for (const Loop& loop : loops) {
    text += fmt::format("{} on line {}", text.empty() ? " in the loop" : ", inside that",
                        source.findLine(code.sites[loop.site]));
  }
  return text;
}

}  // namespace lanescope
