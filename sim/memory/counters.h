#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/memory/event.h"

namespace lanescope {

/// The counts of a launch, by Nsight Compute's rules: the fields and functions are the rows of counters.def.
struct Counters {
#define COUNTER(field, ...) std::uint64_t field = 0;
#define DERIVED(function, formula, ...) \
  std::uint64_t function() const { return formula; }
#define SHARE(function, part, whole, ...)                                             \
  double function() const {                                                           \
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole); \
  }
#include "sim/memory/counters.def"

  Counters& operator+=(const Counters& other);
  Counters& operator-=(const Counters& other);
  bool operator==(const Counters&) const = default;
};

/// Most warps are full, and counting bits is a loop unless the processor has an instruction for it.
constexpr unsigned lanesIn(std::uint32_t active) {
  return active == ~0u ? 32u : static_cast<unsigned>(std::popcount(active));
}

/// Adds the event's counts. Inlined, so that for a kind known to the compiler the
/// rules of other kinds cost nothing.
[[gnu::always_inline]] inline void count(Counters& counters, const Event& e) {
#define COUNTER(field, rule, ...) counters.field += (rule);
#include "sim/memory/counters.def"
}

/// A counter under its name in JSON and CSV.
struct NamedCounter {
  std::string_view name;
  std::uint64_t value;
};

/// The counters that Nsight Compute measures, under its names.
std::vector<NamedCounter> nsightCounters(const Counters& counters);

/// Every counter of a launch or of a part of one: Nsight Compute's, then ours.
std::vector<NamedCounter> allCounters(const Counters& counters);

}  // namespace lanescope
