// Barriers that not all threads reach, masks that name missing lanes, and the order that each instruction
// creates.
#include <bit>

#include "sim/machine/compile/op_classes.h"
#include "sim/memory/lanes.h"
#include "sim/trace/hazard_detector.h"

namespace lanescope {

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
    if ((masks[lane] >> lane & 1u) == 0) missing |= 1u << lane;
    forEachLane(masks[lane] & warp.active, [&](unsigned other) {
      if (masks[other] != masks[lane]) missing |= 1u << other;
    });
    if (missing == 0) return;
    add({.kind = HazardKind::MissingLanes,
         .scope = HazardScope::Warp,
         .lanes = missing,
         .later = findSide(warp, findPc(i), lane)});
  });
}

}  // namespace lanescope
