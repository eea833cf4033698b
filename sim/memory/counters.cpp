#include "sim/memory/counters.h"

#include <cmath>

#include "sim/base/counted.h"

namespace lanescope {

Counters& Counters::operator+=(const Counters& other) {
#define COUNTER(field, ...) field += other.field;
#include "sim/memory/counters.def"
  return *this;
}

Counters& Counters::operator-=(const Counters& other) {
#define COUNTER(field, ...) field -= other.field;
#include "sim/memory/counters.def"
  return *this;
}

std::vector<NamedCounter> nsightCounters(const Counters& counters) {
  std::vector<NamedCounter> named;
  for (const CounterInfo& counter : kCounters) {
    if (!counter.nsight.empty()) named.push_back({counter.nsight, counter.value(counters)});
  }
  return named;
}

std::vector<NamedCounter> allCounters(const Counters& counters) {
  std::vector<NamedCounter> named = nsightCounters(counters);
  for (const CounterInfo& counter : kCounters) {
    if (!counter.name.empty()) named.push_back({counter.name, counter.value(counters)});
  }
  return named;
}

std::string CounterInfo::text(const Counters& counters, std::string_view none) const {
  if (!isShare()) return withCommas(value(counters));
  const std::uint64_t all = whole(counters);
  if (all == 0) return std::string(none);
  return std::to_string(std::lrint(100 * static_cast<double>(value(counters)) / static_cast<double>(all))) +
         "%";
}

std::vector<const CounterInfo*> countersOn(CounterScreens screen) {
  using enum CounterGroup;
  constexpr std::array kUsual{Shared, Global, Synchronization, Branches, Instructions, Lanes};
  constexpr std::array kOfTable{Synchronization, Shared, Lanes, Global, Instructions, Branches};
  constexpr std::array kOfLine{Instructions, Shared, Global, Branches, Synchronization, Lanes};
  std::vector<const CounterInfo*> found;
  for (const CounterGroup group : screen == kTable ? kOfTable : screen == kLineTip ? kOfLine : kUsual) {
    for (const CounterInfo& counter : kCounters) {
      if (counter.group == group && (counter.screens & screen) != 0) found.push_back(&counter);
    }
  }
  return found;
}

}  // namespace lanescope
