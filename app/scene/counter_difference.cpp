#include "app/scene/counter_difference.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/machine/global_traffic.h"

namespace lanescope {
namespace {

struct CounterKind {
  const char* name;
  std::uint64_t (*value)(const Counters&);
  const char* meaning;
};

constexpr std::array<CounterKind, 6> kKinds{{
    {"wavefronts", [](const Counters& c) { return c.sharedWavefronts(); },
     "Passes over the shared-memory banks: loads, stores and atomics. Fewer are better."},
    {"conflicts", [](const Counters& c) { return c.bankConflicts(); },
     "Wavefronts beyond what the accesses would need without bank conflicts. Fewer are better."},
    {"sectors", [](const Counters& c) { return globalSectors(c); },
     "Pieces of global memory that loads, stores and atomics touch. Fewer are better."},
    {"barriers", [](const Counters& c) { return c.barriers; },
     "__syncthreads, once for every warp that executes one. Fewer are better."},
    {"divergent branches", [](const Counters& c) { return c.divergentBranches; },
     "Branches at which the active lanes of a warp went both ways. Fewer are better."},
    {"instructions", [](const Counters& c) { return c.instructions; },
     "Warp instructions as the source has them. Fewer are better."},
}};

std::string ratioOf(double left, double right) {
  if (left <= 0) return "";
  const double ratio = right / left;
  return fmt::format("{:.{}f}×", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string signedText(double difference) {
  return fmt::format("{}{:.0f}", difference < 0 ? "−" : "+", std::abs(difference));
}

CounterDifference countDifference(const CounterKind& kind, const Counters& left, const Counters& right) {
  const auto ours = static_cast<double>(kind.value(left));
  const auto theirs = static_cast<double>(kind.value(right));
  CounterDifference row{
      kind.name, kind.meaning,         fmt::format("{:.0f}", ours), fmt::format("{:.0f}", theirs),
      "=",       ratioOf(ours, theirs)};
  if (ours == theirs) return row;
  row.difference = signedText(theirs - ours);
  row.better = ours < theirs ? Better::Left : Better::Right;
  return row;
}

/// In whole percent, as they are shown; a share of nothing is none.
CounterDifference lanesDifference(const Counters& left, const Counters& right) {
  const double ours = std::round(100 * left.laneEfficiency());
  const double theirs = std::round(100 * right.laneEfficiency());
  CounterDifference row{"lanes active",
                        "Share of lanes that take part, over all warp instructions. More is better.",
                        left.lanes == 0 ? "none" : fmt::format("{:.0f}%", ours),
                        right.lanes == 0 ? "none" : fmt::format("{:.0f}%", theirs),
                        "=",
                        ratioOf(ours, theirs)};
  if (left.lanes == 0 || right.lanes == 0) {
    row.ratio.clear();
    if (left.lanes != right.lanes) row.difference.clear();
    return row;
  }
  if (ours == theirs) return row;
  row.difference = signedText(theirs - ours) + " pts";
  row.better = ours > theirs ? Better::Left : Better::Right;
  return row;
}

}  // namespace

std::vector<CounterDifference> counterDifferences(const Counters& left, const Counters& right) {
  std::vector<CounterDifference> rows;
  rows.reserve(kKinds.size() + 1);
  for (const CounterKind& kind : kKinds) rows.push_back(countDifference(kind, left, right));
  rows.push_back(lanesDifference(left, right));
  return rows;
}

void withoutRight(std::vector<CounterDifference>& rows) {
  for (CounterDifference& row : rows) {
    row.right = "–";
    row.difference.clear();
    row.ratio.clear();
    row.better = Better::Neither;
  }
}

}  // namespace lanescope
