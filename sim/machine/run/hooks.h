#pragma once

#include <vector>

#include "sim/machine/run/observer.h"
#include "sim/memory/counters.h"

/// The reports of the dispatch loop, chosen at compile time so that unused ones cost nothing.
namespace lanescope {

/// Nothing is counted or reported.
struct NoHooks {
  static constexpr bool kCounts = false;
  static constexpr bool kObserves = false;
};

/// Counters, inlined into the loop, a set of them for each group of sites: the lines of a source. One object
/// a simulating thread, merged at the end.
class LineHooks {
 public:
  static constexpr bool kCounts = true;
  static constexpr bool kObserves = false;

  /// `groupOf` gives each site's group, 0 to `groups` - 1; it must live as long.
  LineHooks(const std::vector<std::uint32_t>& groupOf, std::size_t groups, unsigned warpSize)
      : warpSize_(warpSize), groupOf_(groupOf.data()), groups_(groups) {}
  const std::vector<Counters>& groups() const { return groups_; }

  void step(std::uint32_t site, std::uint32_t active) { notify(site, active, {}); }
  void barrier(std::uint32_t site, std::uint32_t active) {
    notify(site, active, {.kind = StepKind::BlockBarrier});
  }
  void shuffle(std::uint32_t site, std::uint32_t active) {
    notify(site, active, {.kind = StepKind::Shuffle});
  }
  void shared(std::uint32_t site, std::uint32_t active, AccessKind kind, SharedCost cost) {
    CountedEvent event{
        .wavefronts = cost.wavefronts, .idealWavefronts = cost.ideal, .loadWavefronts = cost.loads};
    switch (kind) {
      case AccessKind::Load: event.kind = StepKind::SharedLoad; return notify(site, active, event);
      case AccessKind::Store: event.kind = StepKind::SharedStore; return notify(site, active, event);
      case AccessKind::Atomic: event.kind = StepKind::SharedAtomic; return notify(site, active, event);
    }
  }
  void global(std::uint32_t site, std::uint32_t active, AccessKind kind, std::uint32_t sectors,
              bool isResultUsed = false) {
    CountedEvent event{.sectors = sectors, .isResultUsed = isResultUsed};
    switch (kind) {
      case AccessKind::Load: event.kind = StepKind::GlobalLoad; return notify(site, active, event);
      case AccessKind::Store: event.kind = StepKind::GlobalStore; return notify(site, active, event);
      case AccessKind::Atomic: event.kind = StepKind::GlobalAtomic; return notify(site, active, event);
    }
  }
  void constant(std::uint32_t site, std::uint32_t active, std::uint32_t addresses) {
    notify(site, active, {.kind = StepKind::ConstantLoad, .constantAddresses = addresses});
  }
  void branch(std::uint32_t site, std::uint32_t active, std::uint32_t taken) {
    notify(site, active, {.kind = StepKind::Branch, .taken = taken});
  }

 private:
  [[gnu::always_inline]] void notify(std::uint32_t site, std::uint32_t active, CountedEvent event) {
    event.active = active;
    event.warpSize = warpSize_;
    count(groups_[groupOf_[site]], event);
  }

  unsigned warpSize_;
  const std::uint32_t* groupOf_;
  std::vector<Counters> groups_;
};

/// Counters, and observers behind virtual calls.
struct ObservingHooks : LineHooks {
  static constexpr bool kObserves = true;
  using LineHooks::LineHooks;
  ObserverList* observer = nullptr;
};

}  // namespace lanescope
