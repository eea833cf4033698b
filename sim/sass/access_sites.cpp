#include "sim/sass/access_sites.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "sim/base/words.h"
#include "sim/machine/compile/operations.h"
#include "sim/machine/run/execution.h"
#include "sim/memory/access_costs.h"
#include "sim/memory/address.h"
#include "sim/memory/machine_model.h"
#include "sim/sass/access_observer.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

bool isSwap(const Instruction& i) {
  return i.op == Op::Atomic && AtomicShape::of(i.imm).op == typed::AtomicOp::CompareSwap;
}

/// True if a branch or the test of the loop depends on the result of the instruction at `swap`.
bool decides(const Bytecode& code, std::uint32_t swap, const Loop& loop) {
  std::vector<RegisterRange> dependent{readOperands(code.code[swap], code).writes};
  const auto isDependent = [&](RegisterRange range) {
    return std::ranges::any_of(dependent, [range](RegisterRange one) { return one.overlaps(range); });
  };
  for (std::size_t known = 0; known != dependent.size();) {
    known = dependent.size();
    for (std::uint32_t pc = loop.top; pc <= loop.end; ++pc) {
      const Instruction& i = code.code[pc];
      const Operands operands = readOperands(i, code);
      if (!std::ranges::any_of(operands.reads, isDependent)) continue;
      if (findClass(i.op) == OpClass::If || findClass(i.op) == OpClass::Loop) return true;
      if (operands.writes.count > 0 && !isDependent(operands.writes)) dependent.push_back(operands.writes);
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

namespace {

constexpr std::size_t kMostText = 60;          // bytes of a site's text
constexpr std::size_t kMostEntries = 200'000;  // addresses that a warp's threads know

}  // namespace

AccessObserver::AccessObserver(const CompiledKernel& kernel, const MachineModel& machine,
                               const std::vector<MergePlan>& plans)

    : kernel_(kernel), machine_(machine), plans_(plans), swapLoops_(kernel.code), merged_(plans.size()) {}

void AccessObserver::blockBegins(const Bytecode& code, Dim3, std::span<const WarpState> warps,
                                 const MemoryView&) {
  code_ = &code;
  warps_.clear();
  warps_.resize(warps.size());
  loaded_.clear();
  loaded_.resize(warps.size());
}

void AccessObserver::blockEnds() {
  for (WarpMemory& memory : warps_) {
    forget(memory);
    for (auto& [plan, merging] : memory.merging) {
      if (!merging.widths.empty()) merged_[plan].isPossible = false;
    }
  }
  for (const auto& [key, warps] : warpsAtSite_) sites_[key].warps += warps.size();
  warpsAtSite_.clear();
  updatedBy_.clear();
  swapLoops_.blockEnds();
  firstWarp_ += warps_.size();
}

AccessSite& AccessObserver::findSite(const Instruction& i, StepKind kind) {
  const auto pc = static_cast<std::uint32_t>(&i - code_->code.data());
  const auto [at, isNew] = sites_.try_emplace({pc, kind});
  AccessSite& site = at->second;
  if (isNew) {
    site.number = pc;
    site.line = kernel_.lineOfSite[i.site];
    site.kind = kind;
    site.text = oneLine(kernel_.source->slice(code_->sites[i.site]), kMostText);
  }
  return site;
}

AccessCost AccessObserver::computeCost(const Execution& access) const {
  AccessCost cost{1, 0, 0, 0};
  const StepKind kind = access.site.second;
  if (isShared(kind)) {
    std::array<std::uint32_t, kMaxLanes> offsets{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane)
      offsets[lane] = static_cast<std::uint32_t>(access.addresses[lane] & kOffsetMask);
    const AccessKind how = kind == StepKind::SharedLoad ? AccessKind::Load : AccessKind::Store;
    const SharedCost shared = sharedCost(machine_, {offsets, access.mask, access.bytes, how});
    cost.wavefronts = shared.wavefronts;
    cost.ideal = shared.ideal;
  } else {
    cost.sectors = globalSectors(machine_, access.addresses, access.mask, access.bytes);
  }
  return cost;
}

void AccessObserver::happened(const WarpState& warp, const Instruction& i, const Event& event) {
  if (event.kind == StepKind::WarpBarrier) return forget(warps_[warp.index]);
  if (event.kind == StepKind::BlockBarrier) {
    countSimple(warp, i, event.kind);
    return forget(warps_[warp.index]);
  }
  if (event.kind == StepKind::Shuffle) {
    countSimple(warp, i, event.kind);
    findSite(i, event.kind).bytes = takesWide(i.op) ? 8 : 4;
  }
  if (isShared(event.kind) || isGlobal(event.kind)) observeAccess(warp, i, event);
}

void AccessObserver::observeAccess(const WarpState& warp, const Instruction& i, const Event& event) {
  swapLoops_.accessed(static_cast<std::uint32_t>(&i - code_->code.data()), firstWarp_ + warp.index, event);
  const StepKind kind = event.kind;
  AccessSite& site = findSite(i, kind);
  ++accesses_;
  ++execution_;
  const AccessCost cost{1, event.wavefronts, event.idealWavefronts, event.sectors, event.loadWavefronts};
  site.all += cost;
  site.bytes = event.bytes;
  site.isResultUsed = event.isResultUsed;
  Execution access{{static_cast<std::uint32_t>(&i - code_->code.data()), kind},
                   event.active,
                   event.bytes,
                   isAtomic(kind),
                   {}};
  std::copy_n(event.addresses, kMaxLanes, access.addresses.begin());
  warpsAtSite_[access.site].insert(warp.index);
  const std::uint64_t first = access.addresses[static_cast<unsigned>(std::countr_zero(event.active))];
  forEachLane(event.active, [&](unsigned lane) {
    site.isOneAddress = site.isOneAddress && access.addresses[lane] == first;
  });
  WarpMemory& memory = warps_[warp.index];
  if (access.isAtomic) {
    site.needed += cost;
    forEachLane(event.active, [&](unsigned lane) {
      memory.known[lane].erase(access.addresses[lane]);
      if (!isShared(kind)) return;
      const auto [at, isFirst] = updatedBy_.try_emplace(access.addresses[lane], warp.index);
      site.isAmongWarps = site.isAmongWarps || at->second != warp.index;
    });
  } else if (!isWrite(kind)) {
    recordLoad(memory, site, access);
  } else {
    recordStore(memory, access);
  }
  if (!access.isAtomic) {
    recordMerging(memory, access);
    recordRuns(memory, site, access);
    if (kind == StepKind::GlobalLoad) recordOnce(site, warp.index, access);
    Execution narrow = access;
    narrow.bytes = std::min(access.bytes, 4u);
    site.first32 += computeCost(narrow);
    narrow.bytes = std::min(access.bytes, 8u);
    site.first64 += computeCost(narrow);
  }
  if (memory.entries > kMostEntries) forget(memory);
}

void AccessObserver::recordLoad(WarpMemory& memory, AccessSite& site, const Execution& access) {
  bool isKnown = true;
  bool isAcross = false;
  forEachLane(access.mask, [&](unsigned lane) {
    const auto [at, isNew] = memory.known[lane].try_emplace(access.addresses[lane], access.bytes);
    isKnown = isKnown && !isNew && at->second == access.bytes;
    at->second = access.bytes;
    memory.entries += isNew ? 1 : 0;
    const auto [since, isFirst] = memory.knownAt[lane].try_emplace(access.addresses[lane], memory.stores);
    isAcross = isAcross || (!isFirst && since->second != memory.stores);
    since->second = memory.stores;
  });
  if (!isKnown) site.needed += computeCost(access);
  if (isKnown && isAcross) ++site.acrossStores;
}

void AccessObserver::recordStore(WarpMemory& memory, const Execution& access) {
  ++memory.stores;
  forEachLane(access.mask, [&](unsigned lane) {
    memory.knownAt[lane][access.addresses[lane]] = memory.stores;
    memory.known[lane][access.addresses[lane]] = access.bytes;
    // An earlier store to the address by the same thread was not needed.
    memory.stored[lane][access.addresses[lane]] = {access.site, execution_};
    memory.entries += 2;
  });
}

void AccessObserver::forget(WarpMemory& memory) {
  // By site and execution: per lane, the address whose store has lasted.
  std::map<SiteKey, std::map<std::uint64_t, Execution>> lasting;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    for (const auto& [address, pending] : memory.stored[lane]) {
      Execution& one = lasting[pending.site][pending.execution];
      one.site = pending.site;
      one.bytes = sites_[pending.site].bytes;
      one.mask |= 1u << lane;
      one.addresses[lane] = address;
    }
    memory.stored[lane].clear();
    memory.known[lane].clear();
    memory.knownAt[lane].clear();
  }
  for (const auto& [key, one] : memory.together) merged_[key.first].cost += computeCost(one);
  memory.together.clear();
  for (auto& [plan, loop] : memory.loops) endLoop(plan, loop);
  memory.loops.clear();
  endRuns(memory);
  for (auto& [plan, merging] : memory.merging) countApart(plan, merging);
  memory.entries = 0;
  for (auto& [key, executions] : lasting) {
    Execution together = executions.begin()->second;
    bool isOne = true;
    for (auto at = std::next(executions.begin()); at != executions.end(); ++at) {
      isOne = isOne && (together.mask & at->second.mask) == 0;
      together.mask |= at->second.mask;
      forEachLane(at->second.mask,
                  [&](unsigned lane) { together.addresses[lane] = at->second.addresses[lane]; });
    }
    AccessSite& site = sites_[key];
    if (isOne) site.needed += computeCost(together);
    if (isOne) continue;
    for (const auto& [number, one] : executions) site.needed += computeCost(one);
  }
}

void AccessObserver::recordMerging(WarpMemory& memory, const Execution& access) {
  for (std::size_t p = 0; p < plans_.size(); ++p) {
    const MergePlan& plan = plans_[p];
    if (plan.kind != access.site.second || std::ranges::count(plan.sites, access.site.first) == 0) continue;
    if (!plan.pieces.empty()) {
      recordLoop(memory, p, access);
      continue;
    }
    if (plan.widths.empty()) {
      recordTogether(memory, p, access);
      continue;
    }
    Merging& merging = memory.merging[p];
    const bool isAgain =
        std::ranges::any_of(merging.parts, [&](const Execution& one) { return one.site == access.site; });
    const bool isOther = !merging.parts.empty() && merging.parts.front().mask != access.mask;
    if (isAgain || isOther) countApart(p, merging);
    merging.parts.push_back(access);
    if (merging.parts.size() < plan.sites.size()) continue;
    countMerged(p, merging.parts);
    merging.parts.clear();
  }
}

void AccessObserver::recordTogether(WarpMemory& memory, std::size_t plan, const Execution& access) {
  const MergePlan& all = plans_[plan];
  const auto site = std::ranges::find(all.sites, access.site.first) - all.sites.begin();
  const std::size_t taker = all.takers.empty() ? 0 : all.takers[static_cast<std::size_t>(site)];
  const auto [at, isNew] = memory.together.try_emplace({plan, taker}, access);
  if (isNew) return;
  Execution& one = at->second;
  bool isOne = one.bytes == access.bytes;
  forEachLane(one.mask & access.mask,
              [&](unsigned lane) { isOne = isOne && one.addresses[lane] == access.addresses[lane]; });
  if (!isOne) {
    merged_[plan].cost += computeCost(one);
    one = access;
    return;
  }
  one.mask |= access.mask;
  forEachLane(access.mask, [&](unsigned lane) { one.addresses[lane] = access.addresses[lane]; });
}

void AccessObserver::recordRuns(WarpMemory& memory, AccessSite& site, const Execution& access) {
  auto& running = memory.running[access.site];
  for (std::size_t r = 0; r < running.size(); ++r) {
    const unsigned length = r == 0 ? 2 : 4;
    const unsigned bytes = access.bytes * length;
    if (bytes > 16) continue;
    std::vector<Execution>& parts = running[r];
    bool isAligned = true;
    bool isNext = !parts.empty() && parts.front().mask == access.mask;
    forEachLane(access.mask, [&](unsigned lane) {
      isAligned = isAligned && access.addresses[lane] % bytes == 0;
      isNext =
          isNext && access.addresses[lane] == parts.front().addresses[lane] + parts.size() * access.bytes;
    });
    if (!isNext) {
      for (const Execution& one : parts) site.runs[r].cost += computeCost(one);
      parts.clear();
      if (!isAligned) site.runs[r].cost += computeCost(access);
    }
    if (isNext || isAligned) parts.push_back(access);
    if (parts.size() < length) continue;
    Execution wide = parts.front();
    wide.bytes = bytes;
    site.runs[r].cost += computeCost(wide);
    site.runs[r].merged += length;
    parts.clear();
  }
}

void AccessObserver::endRuns(WarpMemory& memory) {
  for (auto& [key, running] : memory.running) {
    for (std::size_t r = 0; r < running.size(); ++r) {
      for (const Execution& one : running[r]) sites_[key].runs[r].cost += computeCost(one);
    }
  }
  memory.running.clear();
}

void AccessObserver::recordLoop(WarpMemory& memory, std::size_t plan, const Execution& access) {
  LoopRun& loop = memory.loops[plan];
  bool isNext = loop.executions > 0 && (access.mask & ~loop.mask) == 0;
  const bool cameBack = loop.executions > 0 && !isNext;
  std::optional<std::int64_t> step;
  if (loop.executions > 1) step = loop.step;
  if (isNext) {
    forEachLane(access.mask, [&](unsigned lane) {
      const auto first = static_cast<std::int64_t>(loop.first.addresses[lane]);
      const auto before = first + static_cast<std::int64_t>(loop.executions - 1) * loop.step;
      const std::int64_t advance = static_cast<std::int64_t>(access.addresses[lane]) - before;
      if (!step) step = advance;
      isNext = isNext && advance == *step;
    });
  }
  if (!isNext) {
    // Another loop begins, or this one again; but not if only some of its lanes continue.
    if (loop.executions > 0 && !cameBack && access.mask != loop.first.mask) merged_[plan].isPossible = false;
    endLoop(plan, loop);
    loop = {access, access.mask, 0, {}, 0};
  }
  loop.mask = access.mask;
  loop.step = step && isNext ? *step : 0;
  ++loop.executions;
  forEachLane(access.mask, [&](unsigned lane) { ++loop.iterations[lane]; });
}

void AccessObserver::endLoop(std::size_t plan, LoopRun& loop) {
  if (loop.executions == 0) return;
  std::array<std::uint64_t, kMaxLanes> done{};
  for (const LoopPiece& piece : plans_[plan].pieces) {
    std::array<std::uint64_t, kMaxLanes> rounds{};
    forEachLane(loop.first.mask, [&](unsigned lane) {
      rounds[lane] = (loop.iterations[lane] - done[lane]) / piece.iterations;
    });
    const std::uint64_t most = *std::ranges::max_element(rounds);
    if (most > 1 && !piece.isInLoop) merged_[plan].isPossible = false;
    for (std::uint64_t round = 0; round < most; ++round) {
      for (std::size_t i = 0; i < piece.widths.size(); ++i) {
        Execution one = loop.first;
        one.mask = 0;
        one.bytes = piece.widths[i];
        // A wider access is one of several in a row, which all cost the same: all lanes have one address.
        const std::uint64_t ahead = one.bytes == loop.first.bytes ? i : 0;
        forEachLane(loop.first.mask, [&](unsigned lane) {
          if (rounds[lane] <= round) return;
          one.mask |= 1u << lane;
          const std::uint64_t iteration = done[lane] + round * piece.iterations + ahead;
          one.addresses[lane] += static_cast<std::uint64_t>(loop.step) * iteration;
          one.addresses[lane] -= one.addresses[lane] % one.bytes;
        });
        merged_[plan].cost += computeCost(one);
      }
    }
    forEachLane(loop.first.mask, [&](unsigned lane) { done[lane] += rounds[lane] * piece.iterations; });
  }
  loop = {};
}

void AccessObserver::recordOnce(AccessSite& site, std::uint32_t warp, const Execution& access) {
  bool isNew = false;
  forEachLane(access.mask, [&](unsigned lane) {
    isNew = loaded_[warp][lane].insert(access.addresses[lane]).second || isNew;
  });
  if (isNew) site.once += computeCost(access);
}

void AccessObserver::widen(std::size_t plan, Execution& access, unsigned width) {
  forEachLane(access.mask, [&](unsigned lane) {
    const auto before = static_cast<unsigned>(access.addresses[lane] % width);
    if (before + access.bytes > width) merged_[plan].isPossible = false;
    access.addresses[lane] -= before;
  });
  access.bytes = width;
}

void AccessObserver::countMerged(std::size_t plan, std::vector<Execution>& parts) {
  const auto lane = static_cast<unsigned>(std::countr_zero(parts.front().mask));
  std::ranges::sort(parts, {}, [lane](const Execution& one) { return one.addresses[lane]; });
  std::size_t next = 0;
  for (const unsigned width : plans_[plan].widths) {
    if (next >= parts.size()) break;
    Execution wide = parts[next];
    while (wide.bytes < width && ++next < parts.size()) {
      forEachLane(wide.mask, [&](unsigned l) {
        const bool isAdjacent = parts[next].addresses[l] == wide.addresses[l] + wide.bytes;
        merged_[plan].isPossible = merged_[plan].isPossible && isAdjacent;
      });
      wide.bytes += parts[next].bytes;
    }
    ++next;
    if (next >= parts.size() && wide.bytes < width) widen(plan, wide, width);
    if (!std::has_single_bit(wide.bytes) || wide.bytes > 16 || wide.bytes != width)
      merged_[plan].isPossible = false;
    if (!merged_[plan].isPossible) return;
    merged_[plan].cost += computeCost(wide);
  }
}

void AccessObserver::countApart(std::size_t plan, Merging& merging) {
  std::vector<Execution> parts = std::exchange(merging.parts, {});
  if (parts.empty()) return;
  if (merging.widths.empty()) merging.widths = plans_[plan].widths;
  const auto lane = static_cast<unsigned>(std::countr_zero(parts.front().mask));
  std::ranges::sort(parts, {}, [lane](const Execution& one) { return one.addresses[lane]; });
  for (std::size_t at = 0; at < parts.size();) {
    Execution wide = parts[at];
    std::size_t taken = 1;
    // The widest access of the plan's that these parts fill.
    Execution next = wide;
    for (std::size_t i = at + 1; i < parts.size() && next.bytes < 16; ++i) {
      bool isAdjacent = true;
      forEachLane(next.mask, [&](unsigned l) {
        isAdjacent = isAdjacent && parts[i].addresses[l] == next.addresses[l] + next.bytes;
      });
      if (!isAdjacent) break;
      next.bytes += parts[i].bytes;
      bool isAligned = true;
      forEachLane(next.mask,
                  [&](unsigned l) { isAligned = isAligned && next.addresses[l] % next.bytes == 0; });
      if (!isAligned || std::ranges::count(plans_[plan].widths, next.bytes) == 0) continue;
      wide = next;
      taken = i + 1 - at;
    }
    const auto width = std::ranges::find(merging.widths, wide.bytes);
    if (width == merging.widths.end()) {
      merged_[plan].isPossible = false;
      return;
    }
    merging.widths.erase(width);
    merged_[plan].cost += computeCost(wide);
    at += taken;
  }
}

void AccessObserver::countSimple(const WarpState& warp, const Instruction& i, StepKind kind) {
  AccessSite& site = findSite(i, kind);
  site.all += {1, 0, 0, 0};
  site.needed += {1, 0, 0, 0};
  warpsAtSite_[{static_cast<std::uint32_t>(&i - code_->code.data()), kind}].insert(warp.index);
}

void AccessObserver::instructionDone(const WarpState& warp, const Instruction& i) {
  if (i.op == Op::Fence) forget(warps_[warp.index]);
}

std::vector<AccessSite> AccessObserver::releaseSites() {
  std::vector<AccessSite> all;
  for (auto& [key, site] : sites_) {
    site.isContended = swapLoops_.isContended(site.number);
    all.push_back(std::move(site));
  }
  return all;
}

AccessCost& AccessCost::operator+=(const AccessCost& other) {
  executions += other.executions;
  wavefronts += other.wavefronts;
  ideal += other.ideal;
  sectors += other.sectors;
  loads += other.loads;
  return *this;
}

Result<AccessReport> observeAccesses(const Launch& launch, const std::vector<MergePlan>& plans,
                                     std::uint64_t mostAccesses) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  if (prepared->code().meetsGrid) {
    return Error{"A kernel whose blocks wait for each other cannot be compared with its machine code.",
                 "Its blocks cannot be run one by one."};
  }
  const CompiledKernelPtr kernel = prepared->kernel;
  Execution execution(launch, std::move(*prepared));
  AccessObserver observer(*kernel, launch.machine, plans);
  OperationCounter operations(*kernel);
  const std::array<Observer*, 2> observers{&observer, &operations};
  AccessReport report;
  while (!execution.isOver() && observer.accesses() < mostAccesses) {
    execution.observe(observers);
    ++report.blocks;
  }
  if (execution.fault()) return execution.error();
  report.simulation = execution.consume();
  for (const Instruction& i : kernel->code.code) {
    if (isAccess(i.op) || isShuffle(i.op) || i.op == Op::BlockBarrier)
      report.idleLines.insert(kernel->lineOfSite[i.site]);
  }
  report.sites = observer.releaseSites();
  for (const AccessSite& site : report.sites) report.idleLines.erase(site.line);
  report.merged = observer.releaseMerged();
  report.operations = operations.consume();
  return report;
}

std::string_view accessName(StepKind kind) {
  switch (kind) {
    case StepKind::SharedLoad: return "shared load";
    case StepKind::SharedStore: return "shared store";
    case StepKind::SharedAtomic: return "shared atomic";
    case StepKind::GlobalLoad: return "global load";
    case StepKind::GlobalStore: return "global store";
    case StepKind::GlobalAtomic: return "global atomic";
    case StepKind::BlockBarrier: return "barrier";
    case StepKind::Shuffle: return "shuffle";
    default: return "instruction";
  }
}

}  // namespace lanescope
