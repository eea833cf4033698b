#include "app/pictures/counter_difference.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/memory/counter_info.h"

namespace lanescope {
namespace {

std::string formatRatio(double left, double right) {
  if (left <= 0) return "";
  const double ratio = right / left;
  return fmt::format("{:.{}f}×", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

std::string signedText(double difference) {
  return (difference < 0 ? "−" : "+") +
         withCommas(static_cast<std::uint64_t>(std::llround(std::abs(difference))));
}

/// `Wavefronts ... conflicts. Fewer are better.`
std::string describeCounter(const CounterInfo& counter) {
  return fmt::format("{}. {}", counter.meaning,
                     counter.better == Direction::LowerIsBetter    ? "Fewer are better."
                     : counter.better == Direction::HigherIsBetter ? "More is better."
                                                                   : "");
}

/// Shares are in whole percent, as shown; a share of no events has no value.
CounterDifference computeDifference(const CounterInfo& counter, const Counters& left, const Counters& right) {
  const auto toNumber = [&](const Counters& counters) {
    const auto part = static_cast<double>(counter.value(counters));
    if (!counter.isShare()) return part;
    return std::round(100 * part / static_cast<double>(std::max<std::uint64_t>(1, counter.whole(counters))));
  };
  const double ours = toNumber(left);
  const double theirs = toNumber(right);
  CounterDifference row{std::string(counter.listed()),
                        describeCounter(counter),
                        counter.text(left, "none"),
                        counter.text(right, "none"),
                        "=",
                        formatRatio(ours, theirs)};
  if (counter.isShare() && (counter.whole(left) == 0 || counter.whole(right) == 0)) {
    row.ratio.clear();
    if (counter.whole(left) != counter.whole(right)) row.difference.clear();
    return row;
  }
  if (ours == theirs) return row;
  row.difference = signedText(theirs - ours) + (counter.isShare() ? " pts" : "");
  if (counter.better == Direction::Neutral) return row;
  row.better = (ours < theirs) == (counter.better == Direction::LowerIsBetter) ? Better::Left : Better::Right;
  return row;
}

}  // namespace

std::vector<CounterDifference> counterDifferences(const Counters& left, const Counters& right) {
  std::vector<CounterDifference> rows;
  for (const CounterInfo* counter : countersOn(kComparison))
    rows.push_back(computeDifference(*counter, left, right));
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
