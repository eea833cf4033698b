#include "app/analysis/counter_comparison.h"

#include <algorithm>

#include "sim/memory/counter_info.h"

namespace lanescope {

std::vector<CounterRow> compareCounters(const Counters& predicted, const CountersMessage& measured) {
  std::vector<CounterRow> rows;
  for (const CounterInfo& counter : kCounters) {
    if (counter.nsight.empty()) continue;
    CounterRow row{counter.nsight, counter.plain, counter.value(predicted), std::nullopt, false, {}};
    const auto found = std::ranges::find(measured.counters, counter.nsight, &MeasuredCounter::name);
    if (found != measured.counters.end()) row.measured = found->value;
    row.equal = row.measured == row.predicted;
    if (!row.measured) {
      row.reason = "This GPU, or this version of Nsight Compute, does not have the counter.";
    } else if (!row.equal) {
      row.reason = *row.measured < row.predicted ? counter.fewer : counter.more;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace lanescope
