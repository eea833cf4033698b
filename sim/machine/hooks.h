#pragma once

#include <vector>

#include "sim/machine/observer.h"
#include "sim/memory/counters.h"

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

  void step(std::uint32_t site, std::uint32_t active) { tell(site, active, {}); }
  void barrier(std::uint32_t site, std::uint32_t active) {
    tell(site, active, {.kind = StepKind::BlockBarrier});
  }
  void shuffle(std::uint32_t site, std::uint32_t active) { tell(site, active, {.kind = StepKind::Shuffle}); }
  void shared(std::uint32_t site, std::uint32_t active, AccessKind kind, SharedCost cost) {
    CountedEvent event{.wavefronts = cost.wavefronts, .idealWavefronts = cost.ideal};
    switch (kind) {
      case AccessKind::Load: event.kind = StepKind::SharedLoad; return tell(site, active, event);
      case AccessKind::Store: event.kind = StepKind::SharedStore; return tell(site, active, event);
      case AccessKind::Atomic: event.kind = StepKind::SharedAtomic; return tell(site, active, event);
    }
  }
  void global(std::uint32_t site, std::uint32_t active, AccessKind kind, std::uint32_t sectors,
              bool isResultUsed = false) {
    CountedEvent event{.sectors = sectors, .isResultUsed = isResultUsed};
    switch (kind) {
      case AccessKind::Load: event.kind = StepKind::GlobalLoad; return tell(site, active, event);
      case AccessKind::Store: event.kind = StepKind::GlobalStore; return tell(site, active, event);
      case AccessKind::Atomic: event.kind = StepKind::GlobalAtomic; return tell(site, active, event);
    }
  }
  void branch(std::uint32_t site, std::uint32_t active, std::uint32_t taken) {
    tell(site, active, {.kind = StepKind::Branch, .taken = taken});
  }

 private:
  [[gnu::always_inline]] void tell(std::uint32_t site, std::uint32_t active, CountedEvent event) {
    event.active = active;
    event.warpSize = warpSize;
    count(this->at(site), event);
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
