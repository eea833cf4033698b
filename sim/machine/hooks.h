#pragma once

#include <bit>
#include <vector>

#include "sim/machine/counters.h"
#include "sim/machine/observer.h"

/// What the dispatch loop tells, chosen at compile time so that nobody pays for what nobody hears.
namespace lanescope {

/// Nothing is counted or told.
struct NoHooks {
  static constexpr bool kCounts = false;
  static constexpr bool kObserves = false;
};

/// Counts into one set of counters.
class TotalTally {
 public:
  Counters& at(std::uint32_t /*site*/) { return counters; }
  Counters counters;
};

/// Counts into a set of counters for each group of sites: the lines of a source.
class GroupedTally {
 public:
  /// `groupOf` gives each site's group, 0 to `groups` - 1; it must live as long as the tally.
  GroupedTally(const std::vector<std::uint32_t>& groupOf, std::size_t groups)
      : groupOf_(groupOf.data()), groups_(groups) {}
  Counters& at(std::uint32_t site) { return groups_[groupOf_[site]]; }
  const std::vector<Counters>& groups() const { return groups_; }

 private:
  const std::uint32_t* groupOf_;
  std::vector<Counters> groups_;
};

/// Counters, inlined into the loop; one object a simulating thread, merged at the end.
template <class Tally>
struct CountingInto : Tally {
  static constexpr bool kCounts = true;
  static constexpr bool kObserves = false;
  using Tally::Tally;
  unsigned warpSize = 32;

  Counters& step(std::uint32_t site, std::uint32_t active) {
    Counters& count = this->at(site);
    ++count.instructions;
    count.activeLanes += active == ~0u ? 32u : static_cast<unsigned>(std::popcount(active));
    count.lanes += warpSize;
    return count;
  }
  void barrier(std::uint32_t site, std::uint32_t active) { ++step(site, active).barriers; }
  void shuffle(std::uint32_t site, std::uint32_t active) { ++step(site, active).shuffles; }
  void shared(std::uint32_t site, std::uint32_t active, AccessKind kind, SharedCost cost) {
    Counters& count = step(site, active);
    (kind == AccessKind::Load    ? count.sharedLoadWavefronts
     : kind == AccessKind::Store ? count.sharedStoreWavefronts
                                 : count.sharedAtomicWavefronts) += cost.wavefronts;
    count.sharedIdealWavefronts += cost.ideal;
    if (kind == AccessKind::Atomic) ++count.atomics;
  }
  void global(std::uint32_t site, std::uint32_t active, AccessKind kind, std::uint32_t sectors,
              bool isResultUsed = false) {
    Counters& count = step(site, active);
    if (kind == AccessKind::Load) {
      ++count.globalLoadRequests;
      count.globalLoadSectors += sectors;
    } else if (kind == AccessKind::Store) {
      ++count.globalStoreRequests;
      count.globalStoreSectors += sectors;
    } else {
      ++count.atomics;
      (isResultUsed ? count.globalAtomicSectors : count.globalReductionSectors) += sectors;
    }
  }
  void branch(std::uint32_t site, std::uint32_t active, std::uint32_t taken) {
    Counters& count = step(site, active);
    ++count.branches;
    if (taken != 0 && taken != active) ++count.divergentBranches;
  }
};

using CountingHooks = CountingInto<TotalTally>;
using LineHooks = CountingInto<GroupedTally>;

/// Counters, and an observer behind virtual calls.
struct ObservingHooks : CountingHooks {
  static constexpr bool kObserves = true;
  Observer* observer = nullptr;
};

}  // namespace lanescope
