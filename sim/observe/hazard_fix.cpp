// What to try: where in the text the missing barrier belongs.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/machine/compile/loops.h"
#include "sim/machine/compile/op_classes.h"
#include "sim/observe/hazard_text.h"

namespace lanescope {
namespace {

bool orders(Op op, HazardScope scope) {
  return op == Op::BlockBarrier || (op == Op::WarpBarrier && scope == HazardScope::Warp);
}

bool anyBarrier(const Bytecode& code, std::uint32_t from, std::uint32_t to, HazardScope scope) {
  return std::any_of(code.code.begin() + from, code.code.begin() + to,
                     [scope](const Instruction& i) { return orders(i.op, scope); });
}

/// Whether an if has both instructions in it: then some threads alone may be meant to pass there.
bool isWithinIf(const Bytecode& code, std::uint32_t low, std::uint32_t high) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t pc = 0; pc < code.code.size(); ++pc) {
    const Op op = code.code[pc].op;
    if (classOf(op) == OpClass::If) open.push_back(pc);
    if (op != Op::IfEnd || open.empty()) continue;
    if (open.back() < low && pc > high) return true;
    open.pop_back();
  }
  return false;
}

/// What a fix for the warp that is at work leaves open: a barrier of the warp, where all threads of a larger
/// block would come by.
std::string limitOf(const Launch& launch, const Bytecode& code, const Finding& finding, std::uint32_t low,
                    std::uint32_t high) {
  const std::uint32_t warpSize = launch.machine.warpSize;
  if (finding.scope != HazardScope::Warp || isWithinIf(code, low, high)) return "";
  if (launch.block.count() > warpSize) {
    return " That is enough while both threads are of one warp, as here: where more warps of the block take "
           "part, it takes __syncthreads().";
  }
  return fmt::format(
      " That is enough while both threads are of one warp: in a block of more than {} threads it takes "
      "__syncthreads() where they are not.",
      warpSize);
}

}  // namespace

std::string fixOf(const Launch& launch, const PreparedLaunch& prepared, const Finding& finding) {
  const Bytecode& code = prepared.code();
  const auto lineAt = [&](std::uint32_t pc) { return launch.source->lineOf(code.sites[code.code[pc].site]); };
  const bool areWrites = finding.kind == HazardKind::WriteAfterWrite;
  const bool oneIsAtomic =
      finding.earlier.kind == AccessKind::Atomic || finding.later.kind == AccessKind::Atomic;
  if (finding.scope == HazardScope::Grid) {
    if (oneIsAtomic) return "Make the other access atomic too, or move it into a separate launch.";
    if (areWrites) return "Give each block an element of its own, or use an atomic.";
    return "Split the kernel there into two launches, or hand the data over with __threadfence() and an "
           "atomic whose result the reading block looks at.";
  }
  const std::uint32_t low = std::min(finding.earlier.pc, finding.later.pc);
  const std::uint32_t high = std::max(finding.earlier.pc, finding.later.pc);
  const std::string barrier = finding.scope == HazardScope::Warp ? "__syncwarp()" : "__syncthreads()";
  const bool isOneLine = lineAt(low) == lineAt(high);
  const std::optional<Loop> loop = loopAround(code, low, high);
  const bool isBetween = anyBarrier(code, low, high, finding.scope);
  const bool loopHasNone = loop && !anyBarrier(code, loop->top, loop->end, finding.scope);
  if (finding.isAtOnce || (areWrites && low == high && !loop))
    return "Let one thread write it, give each its own element, or use an atomic.";
  const bool inOtherIterations = finding.earlier.iteration != finding.later.iteration;
  if (loop && (isBetween || (loopHasNone && inOtherIterations))) {
    const std::uint32_t line = launch.source->lineOf(code.sites[loop->site]);
    return fmt::format(
        "Put {} at the end of the body of the loop on line {}, so that each iteration waits for the previous "
        "one.{}",
        barrier, line, limitOf(launch, code, finding, loop->top, loop->end));
  }
  if (isOneLine) {
    return fmt::format("Split line {}: read into a variable, then {}, then write.{}", lineAt(low), barrier,
                       limitOf(launch, code, finding, low, high));
  }
  return fmt::format("Put {} between line {} and line {}.{}", barrier, std::min(lineAt(low), lineAt(high)),
                     std::max(lineAt(low), lineAt(high)), limitOf(launch, code, finding, low, high));
}

}  // namespace lanescope
