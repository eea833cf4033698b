// Unordered pairs of accesses that do no harm: signals, and reads that only decide if a thread tries an
// operation that checks again.
#include <algorithm>

#include "sim/machine/compile/op_classes.h"
#include "sim/memory/address.h"
#include "sim/memory/lanes.h"
#include "sim/trace/hazard_detector.h"

namespace lanescope {
namespace {

/// Atomics that change a word in one direction only: one try too many does no harm.
bool isMonotone(const Instruction& i) {
  if (i.op != Op::Atomic) return false;
  switch (AtomicShape::of(i.imm).op) {
    case typed::AtomicOp::Minimum:
    case typed::AtomicOp::Maximum:
    case typed::AtomicOp::And:
    case typed::AtomicOp::Or: return true;
    default: return false;
  }
}

}  // namespace

/// Volatile accesses and atomics are no data race with each other (PTX ISA, "Memory Consistency Model":
/// strong operations). That alone does not make them correct: a thread that adds the value it finds needs a
/// barrier. A thread that waits for the word, or tests it, does not.
bool HazardDetector::areSignals(AccessRef earlier, const LaneAccess& now, HazardScope scope,
                                bool sameValue) const {
  const auto isStrong = [&](std::uint32_t pc) {
    const Instruction& i = prepared_.code().code[pc];
    return i.op == Op::Atomic || isVolatile(i);
  };
  const Access& first = accesses_[earlier.access()];
  const std::uint32_t pc = accesses_[now.id].pc;
  if (!isStrong(first.pc) || !isStrong(pc)) return false;
  if (first.kind == AccessKind::Load) return uses_.of(first.pc).isSignal();
  if (now.kind == AccessKind::Load) return uses_.of(pc).isSignal();
  // If both set it: the later one did so after it found the value of the earlier one, as with tickets.
  return scope != HazardScope::Warp && (sameValue || isSignalledUnfenced(earlier, now));
}

/// Records the value that the last load is compared with, if its only use is a test.
void HazardDetector::noteBound(const WarpState& warp, std::uint32_t active) {
  Access& access = accesses_.back();
  const LoadUses& uses = uses_.of(access.pc);
  if (!uses.test || !uses.onlyDecides() || !uses.operandIn.empty()) return;
  const LaneU32* others = warp.lanes<LaneU32>(uses.test->other);
  access.bound = others[std::countr_zero(active)];
  access.hasBound = true;
  forEachLane(active, [&](unsigned lane) { access.hasBound &= others[lane] == access.bound; });
}

/// A load that decides the same before and after the write that it races with: a vertex of another level of a
/// breadth-first search.
bool HazardDetector::changesNothing(AccessRef earlier, const LaneAccess& now, const ShadowCell& cell,
                                    std::uint32_t bits) const {
  const bool isLater = now.kind == AccessKind::Load;
  const Access& load = accesses_[isLater ? now.id : earlier.access()];
  const Access& write = accesses_[isLater ? earlier.access() : now.id];
  if (load.kind != AccessKind::Load || !load.hasBound || write.kind == AccessKind::Load) return false;
  if (now.bytes != 4 || (write.kind == AccessKind::Atomic && !isCompareSwap(prepared_.code().code[write.pc])))
    return false;
  const bool isKnown = isLater ? cell.isBeforeKnown && !cell.overwritten : cell.isKnown;
  if (!isKnown) return false;
  const LoadUses::Test& test = *uses_.of(load.pc).test;
  const std::uint32_t first = isLater ? cell.before : cell.bits;
  return holds(test, first, load.bound) == holds(test, bits, load.bound);
}

void HazardDetector::noteUse(const LaneAccess& access) {
  const std::uint32_t pc = accesses_[access.id].pc;
  const Instruction& i = prepared_.code().code[pc];
  if (access.kind == AccessKind::Store) {
    Stored& stored = stored_[pc];
    stored.isSame = stored.isSame && (!stored.any || stored.bits == access.value[0]) && access.bytes <= 8;
    stored.bits = access.value[0];
    stored.any = true;
  }
  if (isMonotone(i)) objects_[pc].insert(access.address >> kOffsetBits);
  checked_.accessed(access.address, static_cast<std::uint32_t>(findThread(access.warp, access.lane)), pc,
                    mayGuess_[pc], mayGuess_[pc] && uses_.of(pc).onlyDecides(), [&](std::uint32_t load) {
                      return isCompareSwap(i) ||
                             (access.kind == AccessKind::Store && uses_.of(load).guarded.contains(pc));
                    });
}

/// True if a load races with a write that this load decides on, and that every thread may do or leave to
/// another. For atomics: a minimum, a maximum and their like, since each compares again. For stores: if all
/// store one value, and nothing else follows from the value read.
bool HazardDetector::isRechecked(std::uint32_t load, const Finding::Side& write,
                                 std::uint64_t address) const {
  const LoadUses& uses = uses_.of(load);
  if (!uses.onlyDecides()) return false;
  const std::vector<Instruction>& code = prepared_.code().code;
  if (write.kind == AccessKind::Atomic) {
    if (!isMonotone(code[write.pc])) return false;
    const auto isSuch = [&](std::uint32_t pc) {
      const auto objects = objects_.find(pc);
      return objects != objects_.end() && objects->second.contains(address >> kOffsetBits) &&
             AtomicShape::of(code[pc].imm).op == AtomicShape::of(code[write.pc].imm).op;
    };
    return std::ranges::all_of(uses.operandIn, isSuch) &&
           (!uses.operandIn.empty() || std::ranges::any_of(uses.guarded, isSuch));
  }
  return mayGuess_[load] && uses.operandIn.empty() && uses.guarded.contains(write.pc) &&
         checked_.areChecked(load) && std::ranges::all_of(uses.guarded, [&](std::uint32_t pc) {
           return isStoring(code[pc].op) && stored_[pc].isSame;
         });
}

bool HazardDetector::isGuess(const Finding& finding) const {
  if (!finding.hasEarlier || !isRace(finding.kind) || finding.kind == HazardKind::WriteAfterWrite)
    return false;
  const bool isLater = finding.later.kind == AccessKind::Load;
  const Finding::Side& read = isLater ? finding.later : finding.earlier;
  const Finding::Side& write = isLater ? finding.earlier : finding.later;
  if (read.kind != AccessKind::Load) return false;
  if (write.kind == AccessKind::Atomic && checked_.areChecked(read.pc)) return true;
  return isRechecked(read.pc, write, finding.address);
}

}  // namespace lanescope
