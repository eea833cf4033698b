#include "sim/sass/swap_loops.h"

#include <algorithm>

#include "sim/machine/compile/op_classes.h"
#include "sim/machine/compile/operands.h"
#include "sim/memory/lanes.h"

namespace lanescope {
namespace {

bool isSwap(const Instruction& i) {
  return i.op == Op::Atomic && AtomicShape::of(i.imm).op == typed::AtomicOp::CompareSwap;
}

/// True if a branch or the test of the loop depends on the result of the instruction at `swap`.
bool decides(const Bytecode& code, std::uint32_t swap, const Loop& loop) {
  std::vector<RegisterRange> made{readOperands(code.code[swap], code).writes};
  const auto isMade = [&](RegisterRange range) {
    return std::ranges::any_of(made, [range](RegisterRange one) { return one.overlaps(range); });
  };
  for (std::size_t known = 0; known != made.size();) {
    known = made.size();
    for (std::uint32_t pc = loop.top; pc <= loop.end; ++pc) {
      const Instruction& i = code.code[pc];
      const Operands operands = readOperands(i, code);
      if (!std::ranges::any_of(operands.reads, isMade)) continue;
      if (findClass(i.op) == OpClass::If || findClass(i.op) == OpClass::Loop) return true;
      if (operands.writes.count > 0 && !isMade(operands.writes)) made.push_back(operands.writes);
    }
  }
  return false;
}

}  // namespace

SwapLoops::SwapLoops(const Bytecode& code) {
  for (std::uint32_t pc = 0; pc < code.code.size(); ++pc) {
    if (!isSwap(code.code[pc])) continue;
    const std::vector<Loop> around = loopsAround(code, pc);
    const auto found =
        std::ranges::find_if(around, [&](const Loop& loop) { return decides(code, pc, loop); });
    if (found != around.end()) loops_.push_back({pc, *found});
  }
}

void SwapLoops::accessed(std::uint32_t pc, std::uint64_t warp, const Event& event) {
  if (loops_.empty() || !isWrite(event.kind)) return;
  forEachLane(event.active, [&](unsigned lane) {
    const auto at =
        (isShared(event.kind) ? shared_ : global_).try_emplace(event.addresses[lane], Word{warp}).first;
    Word& word = at->second;
    word.isOfSeveral = word.isOfSeveral || word.warp != warp;
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      if (loops_[l].swap == pc && std::ranges::find(word.loops, l) == word.loops.end())
        word.loops.push_back(l);
    }
    if (!word.isOfSeveral) return;
    for (const std::size_t l : word.loops) loops_[l].isContended = true;
  });
}

bool SwapLoops::isContended(std::uint32_t pc) const {
  return std::ranges::any_of(loops_, [pc](const SwapLoop& one) {
    return one.isContended && one.loop.top <= pc && pc <= one.loop.end;
  });
}

}  // namespace lanescope
