#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "sim/machine/compile/operations.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/hazard_detector.h"

// The rules of hazards: barriers, masks, and unordered pairs of accesses that do no harm.
namespace lanescope {
namespace {

bool isComparison(Op op) {
  switch (op) {
    case Op::Eq32:
    case Op::Ne32:
    case Op::LtI32:
    case Op::LtU32:
    case Op::LeI32:
    case Op::LeU32: return true;
    default: return false;
  }
}

class Follower {
 public:
  Follower(const Bytecode& code, std::uint32_t load) : code_(code), load_(load), holds_(code) {}

  LoadUses run() {
    holds_.set(readOperands(code_.code[load_], code_).writes, true);
    syncTo(load_ + 1, static_cast<std::uint32_t>(code_.code.size()));
    const std::vector<Loop> loops = loopsAround(code_, load_);
    if (!loops.empty()) syncTo(loops.back().top, load_);
    if (tests_ == 1) uses_.test = test_;
    return std::move(uses_);
  }

 private:
  void syncTo(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t pc = from; pc < to; ++pc) {
      const Instruction& i = code_.code[pc];
      const Operands operands = readOperands(i, code_);
      const bool isRead = holds_.hasAny(operands.reads);
      if (isRead) use(pc, operands);
      holds_.set(operands.writes, isRead && i.op != Op::Atomic && !isLoading(i.op));
    }
  }

  void use(std::uint32_t pc, const Operands& operands) {
    const Instruction& i = code_.code[pc];
    switch (findClass(i.op)) {
      case OpClass::If: return decide(pc, false);
      case OpClass::Loop: return decide(pc, true);
      case OpClass::Compare: return compare(pc, operands);
      case OpClass::Move:
      case OpClass::Masked:
      case OpClass::Binary:
      case OpClass::Unary:
      case OpClass::Select:
      case OpClass::Math:
      case OpClass::Bits:
      case OpClass::Offset: return;  // the result carries it on
      case OpClass::Store: (holds_.any(operands.reads[0]) ? uses_.isOther : uses_.isStored) = true; return;
      case OpClass::Atomic:
        if (holds_.any(operands.reads[0])) uses_.isOther = true;
        if (holds_.any(operands.reads[1]) || holds_.any(operands.reads[2])) uses_.operandIn.insert(pc);
        return;
      default: uses_.isOther = true; return;
    }
  }

  /// The value compared with must be known when the load is done.
  void compare(std::uint32_t pc, const Operands& operands) {
    const Instruction& i = code_.code[pc];
    const bool isRightSide = holds_.any(operands.reads[1]);
    test_ = {i.op, isRightSide ? i.a : i.b, isRightSide};
    const RegisterRange other = operands.reads[isRightSide ? 0 : 1];
    const bool isChanged = std::any_of(
        code_.code.begin() + load_, code_.code.begin() + std::max(pc, load_),
        [&](const Instruction& each) { return readOperands(each, code_).writes.overlaps(other); });
    const bool isKnown = isComparison(i.op) && pc > load_ && !isChanged && !holds_.any(other) &&
                         code_.code[load_].op == Op::Load32 && isCopy(operands.reads[isRightSide ? 1 : 0]);
    tests_ += isKnown ? 1 : 2;
  }
  /// True if the register has the loaded value itself.
  bool isCopy(RegisterRange range) const {
    std::uint16_t reg = code_.code[load_].dst;
    for (std::uint32_t pc = load_ + 1; reg != range.first && pc < code_.code.size(); ++pc) {
      const Instruction& i = code_.code[pc];
      const bool copies = i.op == Op::Move32 || i.op == Op::Set32 || i.op == Op::Merge32;
      if (copies && i.a == reg) reg = i.dst;
      if (!copies && readOperands(i, code_).writes.overlaps({reg, 1})) return false;
    }
    return reg == range.first;
  }

  void decide(std::uint32_t pc, bool isLoop) {
    uses_.decides = true;
    const std::uint32_t size = static_cast<std::uint32_t>(code_.code.size());
    std::uint32_t end = pc + 1;
    bool leaves = isLoop;
    for (int depth = 0; end < size && !isLoop; ++end) {
      const Op op = code_.code[end].op;
      if (opensScope(op)) ++depth;
      if (closesScope(op) && depth-- == 0) break;
      leaves = leaves || op == Op::Park;
    }
    const std::optional<Loop> around = loopAround(code_, std::min(load_, pc), std::max(load_, pc));
    uses_.decidesLoop = uses_.decidesLoop || (leaves && around.has_value());
    // Lanes that leave skip all that follows, and the rest of a loop's iterations.
    const std::uint32_t first = leaves && around ? around->top : pc;
    for (std::uint32_t at = first; at < (leaves ? size : end); ++at) {
      const Instruction& i = code_.code[at];
      if (isStoring(i.op) || i.op == Op::Atomic || i.op == Op::Print) uses_.guarded.insert(at);
    }
  }

  const Bytecode& code_;
  std::uint32_t load_;
  RegisterMarks holds_;
  LoadUses uses_;
  LoadUses::Test test_;
  int tests_ = 0;
};

}  // namespace

const LoadUses& UsesOfLoads::of(std::uint32_t pc) {
  const auto known = known_.find(pc);
  if (known != known_.end()) return known->second;
  return known_.emplace(pc, Follower(code_, pc).run()).first->second;
}

bool holds(const LoadUses::Test& test, std::uint32_t value, std::uint32_t other) {
  const std::uint32_t a = test.isRightSide ? other : value;
  const std::uint32_t b = test.isRightSide ? value : other;
  switch (test.op) {
    case Op::Ne32: return a != b;
    case Op::LtI32: return std::cmp_less(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    case Op::LtU32: return a < b;
    case Op::LeI32: return std::cmp_less_equal(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    case Op::LeU32: return a <= b;
    default: return a == b;
  }
}

// Barriers that not all threads reach, masks that name missing lanes, and the order that each instruction
// creates.

void HazardDetector::allWait(bool atBarrier) {
  if (!atBarrier || isOver_) return;
  const WarpState* first = nullptr;
  for (const WarpState& warp : warps_) {
    if (warp.status == WarpStatus::AtBarrier && first == nullptr) first = &warp;
  }
  for (const WarpState& warp : warps_) {
    if (first == nullptr) break;
    const bool waits = warp.status == WarpStatus::AtBarrier;
    const bool isElsewhere = waits && barrierPc_[warp.index] != barrierPc_[first->index];
    if (!isElsewhere && (waits || fellOff_[warp.index] == 0)) continue;
    // The kernel's end has no line of its own: a warp that reached it is reported with the barrier it missed.
    const std::uint32_t lanes = waits ? warp.active : fellOff_[warp.index];
    const std::uint32_t pc = barrierPc_[first->index];
    const auto findFirst = [](std::uint32_t mask) {
      return static_cast<std::uint32_t>(std::countr_zero(mask));
    };
    add({.kind = HazardKind::MissedBarrier,
         .severity = HazardSeverity::Warning,
         .scope = HazardScope::Block,
         .hasEarlier = isElsewhere,
         .lanes = lanes,
         .earlier = findSide(warp, isElsewhere ? barrierPc_[warp.index] : pc, findFirst(lanes)),
         .later = findSide(*first, pc, findFirst(first->active))});
  }
  ++phase_;
  phaseFirst_ = static_cast<std::uint32_t>(accesses_.size());
}

void HazardDetector::branched(const WarpState& warp, const Instruction& i, const Event& event) {
  if (isOver_) return;
  if (event.taken != 0 && event.taken != event.active) splits_[findPc(i)] = true;
  const std::uint32_t used = undefined_[warp.index].decide(i.a, event.active);
  if (used != 0) reportUndefined(warp, i, used);
}

void HazardDetector::reportUndefined(const WarpState& warp, const Instruction& i, std::uint32_t lanes) {
  Finding finding{.kind = HazardKind::UndefinedLane, .scope = HazardScope::Warp, .hasEarlier = true};
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  finding.earlier = findSide(warp, undefined_[warp.index].shufflePc(), lane);
  finding.earlier.step = shuffleStep_[warp.index];
  finding.later = findSide(warp, findPc(i), lane);
  add(finding);
}

void HazardDetector::instructionDone(const WarpState& warp, const Instruction& i) {
  if (isOver_) return;
  if (instructionsLeft_-- == 0) {
    isOver_ = true;
    if (whenOver_) whenOver_();
    return;
  }
  const std::uint32_t used = undefined_[warp.index].syncTo(warp, i, launch_.machine.warpSize);
  if (used != 0) reportUndefined(warp, i, used);
  if (isShuffle(i.op) && undefined_[warp.index].shufflePc() == findPc(i))
    shuffleStep_[warp.index] = findStep(warp, i);
  if (warp.active == 0) return;
  switch (i.op) {
    case Op::WarpBarrier: {
      checkMask(warp, i, i.a);
      const LaneU32* masks = warp.lanes<LaneU32>(i.a);
      // Lanes of one instruction may name different groups: each group waits for itself.
      for (std::uint32_t rest = warp.active; rest != 0;) {
        const std::uint32_t mask = masks[std::countr_zero(rest)];
        std::uint32_t group = 0;
        forEachLane(rest, [&](unsigned lane) {
          if (masks[lane] == mask) group |= 1u << lane;
        });
        order_[warp.index].synchronize(group);
        rest &= ~group;
      }
      return;
    }
    case Op::Jump: iterations_[warp.index] += i.imm <= findPc(i) ? 1 : 0; return;
    case Op::Fence:
      if (i.imm != 0) fenced_[warp.index] |= warp.active;
      forEachLane(warp.active, [&](unsigned lane) {
        fenceAt_[findThread(warp.index, lane)] = static_cast<std::uint32_t>(accesses_.size());
      });
      return;
    default:
      if (isExchange(i)) checkMask(warp, i, i.d);
  }
}

/// All threads named in a mask that have not ended must run the same intrinsic with the same mask, and
/// a thread must be in its own (CUDA Programming Guide, "Warp Shuffle Functions").
void HazardDetector::checkMask(const WarpState& warp, const Instruction& i, std::uint16_t maskRegister) {
  const LaneU32* masks = warp.lanes<LaneU32>(maskRegister);
  const std::uint32_t there = warp.present & ~warp.exited();
  const std::uint32_t named = masks[std::countr_zero(warp.active)];
  std::uint32_t differing = 0;
  forEachLane(warp.active, [&](unsigned lane) { differing |= masks[lane] ^ named; });
  if (differing == 0 && (named & there) == warp.active) return;
  forEachLane(warp.active, [&](unsigned lane) {
    std::uint32_t missing = masks[lane] & there & ~warp.active;
    forEachLane(masks[lane] & warp.active, [&](unsigned other) {
      if (masks[other] != masks[lane]) missing |= 1u << other;
    });
    if ((masks[lane] >> lane & 1u) == 0) missing = 1u << lane;
    if (missing == 0) return;
    add({.kind = HazardKind::MissingLanes,
         .scope = HazardScope::Warp,
         .lanes = missing,
         .mask = masks[lane],
         .callers = warp.active,
         .later = findSide(warp, findPc(i), lane)});
  });
}

// Unordered pairs of accesses that do no harm: signals, and reads that only decide if a thread tries an
// operation that checks again.

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
