// What to try: where in the text the missing barrier belongs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/machine/compile/loops.h"
#include "sim/machine/compile/op_classes.h"
#include "sim/machine/compile/operands.h"
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

/// Whether the value that one instruction loads is in what the other stores, or decides whether it stores:
/// followed through the registers in the order of the code.
bool flowsInto(const Bytecode& code, std::uint32_t load, std::uint32_t store) {
  if (load >= store) return false;
  std::vector<bool> holds(code.registers + 1, false);
  const auto mark = [&](RegisterRange range, bool value) {
    for (std::uint32_t r = range.first; r < range.first + range.count && r < holds.size(); ++r)
      holds[r] = value;
  };
  const auto isHeld = [&](RegisterRange range) {
    for (std::uint32_t r = range.first; r < range.first + range.count && r < holds.size(); ++r) {
      if (holds[r]) return true;
    }
    return false;
  };
  mark(operandsOf(code.code[load], code).writes, true);
  std::uint32_t guards = 0;  // ifs that it decides and that are open
  std::uint32_t open = 0;
  for (std::uint32_t pc = load + 1; pc <= store; ++pc) {
    const Operands operands = operandsOf(code.code[pc], code);
    const bool isRead = std::ranges::any_of(operands.reads, isHeld);
    if (pc == store)
      return guards > 0 || std::any_of(operands.reads.begin() + 1, operands.reads.end(), isHeld);
    const OpClass group = classOf(code.code[pc].op);
    if (group == OpClass::If && ++open > 0 && isRead && guards == 0) guards = open;
    if (code.code[pc].op == Op::IfEnd && open > 0 && open-- == guards) guards = 0;
    mark(operands.writes, isRead);
  }
  return false;
}

/// Of a conflict, the load and the store of one thread's update.
struct UpdatePair {
  std::uint32_t load = 0;
  std::uint32_t store = 0;
};

std::optional<UpdatePair> updateOf(const Finding& finding) {
  if (finding.kind == HazardKind::ReadAfterWrite) return UpdatePair{finding.later.pc, finding.earlier.pc};
  if (finding.kind == HazardKind::WriteAfterRead) return UpdatePair{finding.earlier.pc, finding.later.pc};
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> lostUpdateAt(const PreparedLaunch& prepared, const Finding& finding) {
  const auto update = updateOf(finding);
  if (!update || !flowsInto(prepared.code(), update->load, update->store)) return std::nullopt;
  return update->store;
}

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
