#include "app/session/sass/access_counters.h"

#include <algorithm>
#include <string>

#include "sim/memory/counters.h"

namespace lanescope {
namespace {

/// A line's cost as counters.
Counters countersOfCost(const LineAccesses& line, const AccessCost& cost, bool isResultUsed) {
  Counters counters;
  switch (line.kind) {
    case StepKind::SharedLoad: counters.sharedLoadWavefronts = cost.wavefronts; break;
    case StepKind::SharedStore: counters.sharedStoreWavefronts = cost.wavefronts; break;
    case StepKind::SharedAtomic: counters.sharedAtomicWavefronts = cost.wavefronts; break;
    case StepKind::GlobalLoad:
      counters.globalLoadRequests = cost.executions;
      counters.globalLoadSectors = cost.sectors;
      break;
    case StepKind::GlobalStore:
      counters.globalStoreRequests = cost.executions;
      counters.globalStoreSectors = cost.sectors;
      break;
    case StepKind::GlobalAtomic:
      (isResultUsed ? counters.globalAtomicSectors : counters.globalReductionSectors) = cost.sectors;
      break;
    case StepKind::BlockBarrier: counters.barriers = cost.executions; break;
    case StepKind::Shuffle: counters.shuffles = cost.executions; break;
    default: break;
  }
  counters.sharedIdealWavefronts = cost.ideal;
  return counters;
}

void addLine(CounterChange& change, std::uint32_t line) {
  if (change.lines.empty() || change.lines.back() != line) change.lines.push_back(line);
}

}  // namespace

std::vector<CounterChange> counterChanges(const AccessReport& report, const AccessComparison& comparison,
                                          const AccessGroups& groups) {
  std::vector<CounterChange> changes;
  Counters machine = report.simulation.counters;
  for (const NamedCounter& one : nsightCounters(machine))
    changes.push_back({std::string(one.name), one.value, 0, {}});
  for (const LineAccesses& line : comparison.lines) {
    if (line.fate == AccessFate::Unclear) {
      const auto touched = nsightCounters(countersOfCost(line, {1, 1, 1, 1}, true));
      for (std::size_t c = 0; c < changes.size(); ++c) {
        if (touched[c].value == 0) continue;
        changes[c].isClear = false;
        addLine(changes[c], line.line);
      }
    }
    if (line.text == line.machine) continue;
    const AccessGroup& group = groups.at({line.line, line.kind});
    const bool isResultUsed = std::ranges::any_of(group.sites, &AccessSite::isResultUsed);
    const Counters removed = countersOfCost(line, line.text, isResultUsed);
    const Counters left = countersOfCost(line, line.machine, isResultUsed);
    machine += left;
    machine -= removed;
    const auto before = nsightCounters(removed);
    const auto after = nsightCounters(left);
    for (std::size_t c = 0; c < changes.size(); ++c) {
      if (before[c].value != after[c].value) addLine(changes[c], line.line);
    }
  }
  const auto after = nsightCounters(machine);
  for (std::size_t c = 0; c < changes.size(); ++c) changes[c].machine = after[c].value;
  return changes;
}

}  // namespace lanescope
