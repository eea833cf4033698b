#pragma once

#include <bit>

#include "sim/observe/counters.h"
#include "sim/observe/observer.h"

/// What the dispatch loop tells, chosen at compile time so that nobody pays for what nobody hears.
namespace lanescope {

/// Nothing is counted or told.
struct NoHooks {
  static constexpr bool kCounts = false;
  static constexpr bool kObserves = false;
};

/// Counters, inlined into the loop; one object a simulating thread, merged at the end.
struct CountingHooks {
  static constexpr bool kCounts = true;
  static constexpr bool kObserves = false;
  Counters counters;
  unsigned warpSize = 32;

  void step(std::uint32_t active) {
    ++counters.instructions;
    counters.activeLanes += static_cast<unsigned>(std::popcount(active));
    counters.lanes += warpSize;
  }
  void access(const AccessEvent& event) {
    step(event.active);
    if (event.kind == AccessKind::Atomic) return atomic(event);
    if (event.isShared) {
      const bool isLoad = event.kind == AccessKind::Load;
      (isLoad ? counters.sharedLoadWavefronts : counters.sharedStoreWavefronts) +=
          event.sharedCost.wavefronts;
      counters.sharedIdealWavefronts += event.sharedCost.ideal;
    } else if (event.kind == AccessKind::Load) {
      ++counters.globalLoadRequests;
      counters.globalLoadSectors += event.sectors;
    } else {
      ++counters.globalStoreRequests;
      counters.globalStoreSectors += event.sectors;
    }
  }
  void atomic(const AccessEvent& event) {
    ++counters.atomics;
    if (event.isShared) {
      counters.sharedAtomicWavefronts += event.sharedCost.wavefronts;
      counters.sharedIdealWavefronts += event.sharedCost.ideal;
    } else {
      (event.isResultUsed ? counters.globalAtomicSectors : counters.globalReductionSectors) += event.sectors;
    }
  }
  void branch(std::uint32_t active, std::uint32_t taken) {
    step(active);
    ++counters.branches;
    if (taken != 0 && taken != active) ++counters.divergentBranches;
  }
};

/// Counters, and an observer behind virtual calls.
struct ObservingHooks : CountingHooks {
  static constexpr bool kObserves = true;
  Observer* observer = nullptr;
};

}  // namespace lanescope
