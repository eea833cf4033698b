#include <algorithm>
#include <bit>
#include <set>
#include <span>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/machine/compile/operations.h"
#include "sim/machine/run/prepare.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/hazard_fix.h"
#include "sim/trace/hazards.h"

namespace lanescope {

std::string_view hazardKindName(HazardKind kind) {
  switch (kind) {
    case HazardKind::ReadAfterWrite: return "read_after_write";
    case HazardKind::WriteAfterRead: return "write_after_read";
    case HazardKind::WriteAfterWrite: return "write_after_write";
    case HazardKind::UninitializedShared: return "uninitialized_shared";
    case HazardKind::MissedBarrier: return "missed_barrier";
    case HazardKind::MissingLanes: return "missing_lanes";
    case HazardKind::UndefinedLane: return "undefined_lane";
    case HazardKind::OutOfBounds: return "out_of_bounds";
    case HazardKind::Misaligned: return "misaligned";
    case HazardKind::NullPointer: return "null_pointer";
    case HazardKind::DanglingPointer: return "dangling_pointer";
    case HazardKind::MixedSpaces: return "mixed_spaces";
    case HazardKind::EndlessLoop: return "endless_loop";
    case HazardKind::FailedAssertion: return "failed_assertion";
    case HazardKind::UninitializedGlobal: return "uninitialized_global";
  }
  return "";
}

std::string_view hazardScopeName(HazardScope scope) {
  switch (scope) {
    case HazardScope::Thread: return "thread";
    case HazardScope::Warp: return "warp";
    case HazardScope::Block: return "block";
    case HazardScope::Grid: return "grid";
  }
  return "";
}

std::string metText(const Hazard& hazard) {
  return hazard.count > 1 ? fmt::format("met {} times", withCommas(hazard.count)) : "";
}

namespace {

std::string_view findVerb(AccessKind kind) {
  switch (kind) {
    case AccessKind::Load: return "reads";
    case AccessKind::Store: return "writes";
    case AccessKind::Atomic: return "atomically updates";
  }
  return "";
}

/// `lane 2`, `lanes 4-7, 9`.
std::string lanesText(std::uint32_t mask) {
  std::vector<std::uint32_t> lanes;
  forEachLane(mask, [&](unsigned lane) { lanes.push_back(lane); });
  return pluralFor(lanes.size(), "lane") + " " + rangesText(lanes);
}

/// The name called at a place in the text: `__shfl_down_sync`.
std::string callName(const Launch& launch, SourceSpan span) {
  std::string_view text = launch.source->slice(span);
  if (const std::size_t start = text.find("__"); start != std::string_view::npos) text.remove_prefix(start);
  const std::string_view name = text.substr(0, text.find_first_of("( \t\n"));
  return name.empty() ? "the intrinsic" : std::string(name) + "()";
}

/// The interval between barriers of the block, counted from 1. A trace's phases are different: a shuffle may
/// begin one too.
std::string intervalText(std::uint32_t barriersPassed) {
  return barriersPassed == 0 ? "before the first barrier" : fmt::format("after barrier {}", barriersPassed);
}

class Describer {
 public:
  Describer(const Launch& launch, const PreparedLaunch& prepared, const HazardFixes& fixes,
            const Finding& finding)
      : launch_(launch), prepared_(prepared), fixes_(fixes), finding_(finding) {}

  Hazard run() {
    hazard_.kind = finding_.kind;
    hazard_.severity = finding_.severity;
    hazard_.scope = finding_.scope;
    hazard_.count = finding_.count;
    hazard_.access = access(finding_.later);
    if (finding_.hasEarlier) hazard_.earlier = access(finding_.earlier);
    switch (finding_.kind) {
      case HazardKind::MissedBarrier: missedBarrier(); break;
      case HazardKind::MissingLanes: missingLanes(); break;
      case HazardKind::UndefinedLane: undefinedLane(); break;
      case HazardKind::UninitializedShared:
        nameElement();
        hazard_.message = fmt::format("{} of {} {} {} on line {}, which no thread of the block has written.",
                                      thread(finding_.later), block(finding_.later),
                                      findVerb(finding_.later.kind), hazard_.place, line());
        hazard_.fix = fmt::format("Write {} first (shared memory does not start at zero), or guard the read.",
                                  hazard_.array.empty() ? "it" : hazard_.array);
        break;
      default:
        nameElement();
        conflict();
        hazard_.fix = fixes_.of(finding_);
    }
    return std::move(hazard_);
  }

 private:
  HazardAccess access(const Finding::Side& side) const {
    HazardAccess result;
    result.verb = findVerb(side.kind);
    result.span = prepared_.code().sites[prepared_.code().code[side.pc].site];
    result.line = launch_.source->findLine(result.span);
    result.block = unlinear(side.block, launch_.grid);
    result.thread = unlinear(findThread(side), launch_.block);
    result.warp = side.warp;
    result.lane = side.lane;
    result.barriers = side.phase;
    if (side.step != Finding::kNoStep) result.step = side.step;
    return result;
  }
  std::uint64_t findThread(const Finding::Side& side) const {
    return std::uint64_t{side.warp} * launch_.machine.warpSize + side.lane;
  }
  std::string thread(const Finding::Side& side) const { return threadText(launch_, findThread(side)); }
  std::string block(const Finding::Side& side) const {
    return blockText(launch_, unlinear(side.block, launch_.grid));
  }
  std::uint32_t line() const { return hazard_.access.line; }

  void nameElement() {
    const ElementName name = elementAt(prepared_, finding_.address);
    hazard_.array = name.array;
    hazard_.place = name.place;
    hazard_.isShared = isShared(finding_.address);
  }

  void conflict() {
    const Finding::Side& first = finding_.earlier;
    const Finding::Side& second = finding_.later;
    const std::string sameValue = finding_.sameValue ? " Both write the same value." : "";
    if (finding_.isAtOnce) {
      hazard_.message =
          fmt::format("{} and {} of {} write {} at once on line {}: {}.{}", thread(first), thread(second),
                      block(first), hazard_.place, line(), "which one stays is undefined", sameValue);
      return;
    }
    const bool isGrid = finding_.scope == HazardScope::Grid;
    std::string text =
        fmt::format("{} of {} {} {} on line {} and {}{} {} it on line {}", thread(first), block(first),
                    findVerb(first.kind), hazard_.place, hazard_.earlier->line, thread(second),
                    isGrid ? " of " + block(second) : "", findVerb(second.kind), line());
    if (isGrid) {
      text += ", but blocks run in any order";
    } else if (finding_.scope == HazardScope::Block) {
      text += fmt::format(", with no __syncthreads() between ({})", intervalText(second.phase));
    } else {
      text +=
          fmt::format(", with no __syncwarp() between ({}): lanes of a warp need not run in step since Volta",
                      intervalText(second.phase));
    }
    hazard_.message = text + "." + sameValue;
  }

  void missedBarrier() {
    const std::uint64_t firstThread = std::uint64_t{finding_.earlier.warp} * launch_.machine.warpSize;
    if (finding_.hasEarlier) {
      hazard_.message = fmt::format(
          "warp {} of {} waits at the barrier on line {} while warp {} waits at another, on line {}.",
          finding_.later.warp, block(finding_.later), line(), finding_.earlier.warp, hazard_.earlier->line);
      hazard_.fix = "Move the barrier out of the branch: all threads of a block must reach the same one.";
      return;
    }
    const auto lane = static_cast<unsigned>(std::countr_zero(finding_.lanes));
    hazard_.message = fmt::format(
        "warp {} of {} waits at the barrier on line {}, but {} and the rest of warp {} run past it to the "
        "kernel's end.",
        finding_.later.warp, block(finding_.later), line(), threadText(launch_, firstThread + lane),
        finding_.earlier.warp);
    hazard_.fix = "Every thread of the block must reach it: move it out of the branch.";
  }

  void missingLanes() {
    const SourceSpan span = hazard_.access.span;
    hazard_.access.verb = "runs";
    const std::string who = fmt::format("{} of {} runs {} on line {}", thread(finding_.later),
                                        block(finding_.later), callName(launch_, span), line());
    const std::string missing = fmt::format("{} of warp {}", lanesText(finding_.lanes), finding_.later.warp);
    const bool isOne = std::popcount(finding_.lanes) == 1;
    if (finding_.lanes == 1u << finding_.later.lane) {
      hazard_.message =
          fmt::format("{} with the mask 0x{:08x}, which does not name the thread's own lane, {}.", who,
                      finding_.mask, missing);
      hazard_.fix = fmt::format(
          "A thread must be in its own mask: the lanes that run it together here "
          "are 0x{:08x}.",
          finding_.callers);
    } else if ((finding_.lanes & ~finding_.callers) == 0) {
      hazard_.message = fmt::format("{} with the mask 0x{:08x}, but {} of it {} it with another mask.", who,
                                    finding_.mask, missing, isOne ? "runs" : "run");
      hazard_.fix =
          "All lanes of a mask must name the same one: compute it once for the group, from the lanes that "
          "are in it.";
    } else {
      hazard_.message = fmt::format("{} with a mask that does not fit: {} {} not there with the same mask.",
                                    who, missing, isOne ? "is" : "are");
      hazard_.fix =
          "Move it out of the branch or the loop that they do not run, or compute its mask with "
          "__ballot_sync() before it.";
    }
  }

  void undefinedLane() {
    hazard_.earlier->verb = "runs";
    hazard_.access.verb = "uses";
    hazard_.message = fmt::format(
        "{} of {} uses on line {} a value that {} on line {} read from a lane that was not there: it is "
        "undefined.",
        thread(finding_.later), block(finding_.later), line(), callName(launch_, hazard_.earlier->span),
        hazard_.earlier->line);
    hazard_.fix = "Shuffle only among lanes that take part, or leave out what comes from beyond them.";
  }

  const Launch& launch_;
  const PreparedLaunch& prepared_;
  const HazardFixes& fixes_;
  const Finding& finding_;
  Hazard hazard_;
};

/// True if the lines from one access to the other overlap.
bool overlap(const Hazard& a, const Hazard& b) {
  const auto [firstA, lastA] = std::minmax(a.earlier->line, a.access.line);
  const auto [firstB, lastB] = std::minmax(b.earlier->line, b.access.line);
  return std::max(firstA, firstB) <= std::min(lastA, lastB);
}

HazardKind faultKind(const PreparedLaunch& prepared, const Fault& fault) {
  switch (fault.kind) {
    case Fault::Kind::Misaligned: return HazardKind::Misaligned;
    case Fault::Kind::ForeignLocal:
    case Fault::Kind::EndedLocal: return HazardKind::DanglingPointer;
    case Fault::Kind::MixedSpaces: return HazardKind::MixedSpaces;
    case Fault::Kind::DivergentBarrier: return HazardKind::MissedBarrier;
    case Fault::Kind::ShuffleWidth: return HazardKind::UndefinedLane;
    case Fault::Kind::TileTooWide: return HazardKind::MissingLanes;
    case Fault::Kind::StepLimit: return HazardKind::EndlessLoop;
    case Fault::Kind::Unwritten: return HazardKind::UninitializedGlobal;
    case Fault::Kind::AssertionFailed:
    case Fault::Kind::Trapped:
    case Fault::Kind::NoCallee: return HazardKind::FailedAssertion;
    default: break;
  }
  const std::uint64_t address = formedFrom(fault.address);
  if (address >> kOffsetBits == 0) return HazardKind::NullPointer;
  const bool isKnown = isShared(address)  ? sharedObject(address) < prepared.sharedObjects.size()
                       : isLocal(address) ? localAt(prepared.code(), address) != nullptr
                                          : bufferIndex(address) < prepared.memory.bufferCount();
  return isKnown ? HazardKind::OutOfBounds : HazardKind::DanglingPointer;
}

/// A lock that an atomic in a loop takes, and that a plain store gives back.
struct PlainUnlock {
  std::uint32_t taken = 0;
  std::uint32_t given = 0;

  bool covers(const Finding& finding) const {
    const auto isIn = [this](std::uint32_t pc) { return taken <= pc && pc <= given; };
    return finding.hasEarlier && isRace(finding.kind) && isIn(finding.earlier.pc) && isIn(finding.later.pc);
  }
};

std::vector<PlainUnlock> findPlainUnlocks(const Bytecode& code, std::span<const Finding> findings) {
  std::vector<PlainUnlock> locks;
  for (const Finding& finding : findings) {
    if (!finding.hasEarlier || !isRace(finding.kind)) continue;
    const bool isAtomicFirst = finding.earlier.kind == AccessKind::Atomic;
    const Finding::Side& atomic = isAtomicFirst ? finding.earlier : finding.later;
    const Finding::Side& store = isAtomicFirst ? finding.later : finding.earlier;
    if (atomic.kind != AccessKind::Atomic || store.kind != AccessKind::Store || atomic.pc > store.pc)
      continue;
    const AtomicShape shape = AtomicShape::of(code.code[atomic.pc].imm);
    const bool takes = shape.isResultUsed &&
                       (shape.op == typed::AtomicOp::CompareSwap || shape.op == typed::AtomicOp::Exchange);
    if (takes && loopAround(code, atomic.pc, atomic.pc)) locks.push_back({atomic.pc, store.pc});
  }
  return locks;
}

/// Threads that update one element lose each other's updates: the write that two of them race on and the read
/// before it have one cause, and a barrier fixes neither.
void fixUpdates(const Launch& launch, const PreparedLaunch& prepared, std::span<const Finding> findings,
                std::vector<Hazard>& hazards) {
  const std::vector<PlainUnlock> locks = findPlainUnlocks(prepared.code(), findings);
  const auto lineAt = [&](std::uint32_t pc) {
    return launch.source->findLine(prepared.code().sites[prepared.code().code[pc].site]);
  };
  std::set<std::uint32_t> racing;   // stores with which threads race
  std::set<std::uint32_t> updates;  // stores of values read there
  for (const Finding& finding : findings) {
    if (finding.kind == HazardKind::WriteAfterWrite && finding.earlier.pc == finding.later.pc &&
        finding.inOneIteration)
      racing.insert(finding.later.pc);
    if (const auto store = lostUpdateAt(prepared, finding)) updates.insert(*store);
  }
  for (std::size_t h = 0; h < findings.size(); ++h) {
    const Finding& finding = findings[h];
    const auto isLost = [&](std::uint32_t pc) { return racing.contains(pc) && updates.contains(pc); };
    if (finding.isOfBlock) {
      hazards[h].fix =
          "An atomic with _block is one operation only for the threads of its block: use the one "
          "without _block.";
      continue;
    }
    if (const auto lock =
            std::ranges::find_if(locks, [&](const PlainUnlock& each) { return each.covers(finding); });
        lock != locks.end()) {
      hazards[h].fix = fmt::format(
          "The lock that line {} takes is given back by a plain store on line {}, which orders nothing: call "
          "__threadfence(), then atomicExch() there. A barrier would let threads wait for each other "
          "forever.",
          lineAt(lock->taken), lineAt(lock->given));
      continue;
    }
    if (finding.isLocked) {
      hazards[h].fix = fmt::format(
          "The lock that guards {} orders no accesses without a fence: call __threadfence() before the "
          "atomicExch() that gives it back.",
          hazards[h].place.empty() ? "it" : hazards[h].place);
      continue;
    }
    if (finding.isSignalled) {
      hazards[h].fix = fmt::format(
          "The flag that says when {} may be accessed orders no accesses without a fence: call "
          "__threadfence() before the flag is set.",
          hazards[h].place.empty() ? "it" : hazards[h].place);
      continue;
    }
    const bool isWrite =
        finding.kind == HazardKind::WriteAfterWrite && isLost(finding.earlier.pc) && isLost(finding.later.pc);
    const auto store = lostUpdateAt(prepared, finding);
    if (!isWrite && !(store && isLost(*store))) continue;
    hazards[h].fix = fmt::format(
        "Several threads read, change and write {}, and lose each other's updates: use an atomic (atomicAdd "
        "for a sum, atomicMax for a maximum).",
        hazards[h].place.empty() ? "one element" : hazards[h].place);
  }
}

/// Races on memory that two arrays share: a barrier would hide them, and leave the result wrong.
void fixOverlaps(const Launch& launch, const PreparedLaunch& prepared,
                 const HazardDetector::Findings& findings, std::vector<Hazard>& hazards) {
  if (findings.overlaps.empty()) return;
  const std::vector<SharedView> views = findSharedViews(prepared);
  const auto lineAt = [&](std::uint32_t pc) {
    return launch.source->findLine(prepared.code().sites[prepared.code().code[pc].site]);
  };
  for (std::size_t h = 0; h < findings.kept.size(); ++h) {
    const Finding& finding = findings.kept[h];
    if (!finding.hasEarlier || !isRace(finding.kind) || !hazards[h].isShared) continue;
    const std::string& one = views[finding.earlier.pc].name;
    const std::string& other = views[finding.later.pc].name;
    const auto found = std::ranges::find_if(findings.overlaps, [&](const SharedOverlap& overlap) {
      const std::string& first = views[overlap.first].name;
      const std::string& second = views[overlap.second].name;
      return (one == first && other == second) || (one == second && other == first);
    });
    if (found == findings.overlaps.end() || one.empty() || one == other) continue;
    hazards[h].fix = fmt::format(
        "{} and {} overlap in dynamic shared memory: {} is {}'s on line {} and {}'s on line {}. Let the "
        "second begin "
        "behind all elements of the first, and give the launch bytes for both.",
        views[found->first].name, views[found->second].name, elementAt(prepared, found->address).place,
        views[found->first].name, lineAt(found->first), views[found->second].name, lineAt(found->second));
  }
}

}  // namespace

std::vector<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared,
                             const HazardDetector::Findings& findings) {
  std::vector<Hazard> hazards;
  if (findings.kept.empty()) return hazards;
  const HazardFixes fixes(launch, prepared, findings.splits);
  for (const Finding& finding : findings.kept)
    hazards.push_back(Describer(launch, prepared, fixes, finding).run());
  for (std::size_t h = 0; h < hazards.size(); ++h) {
    Hazard& hazard = hazards[h];
    for (const Hazard& other : hazards) {
      if (other.scope != HazardScope::Block || !isRace(other.kind)) continue;
      if (hazard.scope == HazardScope::Warp && isRace(hazard.kind) && overlap(hazard, other)) {
        Finding asBlock = findings.kept[h];
        asBlock.scope = HazardScope::Block;
        hazard.fix = fixes.of(asBlock);
        break;
      }
      // The value was read before it was written, because the reader did not wait for the writer.
      if (hazard.kind == HazardKind::UninitializedShared && other.kind == HazardKind::WriteAfterRead &&
          other.array == hazard.array && other.earlier->line == hazard.access.line) {
        hazard.fix = other.fix;
        break;
      }
    }
  }
  fixUpdates(launch, prepared, findings.kept, hazards);
  fixOverlaps(launch, prepared, findings, hazards);
  return hazards;
}

std::optional<Hazard> describe(const Launch& launch, const PreparedLaunch& prepared,
                               const LaunchFault& launchFault, std::uint32_t phase) {
  const Fault& fault = launchFault.fault;
  if (fault.kind == Fault::Kind::Stopped) return std::nullopt;
  const Error error = faultError(launch, prepared, launchFault.block, fault);
  Hazard hazard;
  hazard.kind = faultKind(prepared, fault);
  hazard.scope = HazardScope::Thread;
  hazard.access.verb = "runs";
  hazard.access.span = error.diagnostics.front().span;
  hazard.access.line = launch.source->findLine(hazard.access.span);
  hazard.access.block = launchFault.block;
  hazard.access.warp = fault.warp;
  hazard.access.lane = fault.kind == Fault::Kind::DivergentBarrier && fault.lanes != 0
                           ? static_cast<std::uint32_t>(std::countr_zero(fault.lanes))
                           : fault.lane;
  hazard.access.thread =
      unlinear(std::uint64_t{fault.warp} * launch.machine.warpSize + hazard.access.lane, launch.block);
  hazard.access.barriers = phase;
  const bool isAccess = hazard.kind == HazardKind::OutOfBounds || hazard.kind == HazardKind::Misaligned ||
                        hazard.kind == HazardKind::UninitializedGlobal ||
                        fault.kind == Fault::Kind::ForeignLocal || fault.kind == Fault::Kind::EndedLocal;
  if (isAccess) {
    hazard.access.verb = fault.isStore ? "writes" : "reads";
    hazard.isShared = isShared(fault.address);
    hazard.isLocal = isLocal(fault.address);
    const bool isInside = (fault.address & kOffsetMask) <= kOffsetMask / 2;
    if (isInside) {
      const ElementName name = elementAt(prepared, fault.address);
      hazard.array = name.array;
      hazard.place = name.place;
    }
  }
  hazard.message = error.message;
  hazard.fix = error.hint;
  return hazard;
}

}  // namespace lanescope
