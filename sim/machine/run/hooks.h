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
  LineHooks(const std::vector<std::uint32_t>& groupOf, std::size_t groups)
      : groupOf_(groupOf.data()), groups_(groups) {}
  const std::vector<Counters>& groups() const { return groups_; }

  [[gnu::always_inline]] void count(std::uint32_t site, const Event& event) {
    lanescope::count(groups_[groupOf_[site]], event);
  }

 private:
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
