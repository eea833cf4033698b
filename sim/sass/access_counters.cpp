#include "sim/sass/access_counters.h"

#include <algorithm>
#include <string>

#include "sim/sass/executed_accesses.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

void addLine(CounterChange& change, std::uint32_t line) {
  if (change.lines.empty() || change.lines.back() != line) change.lines.push_back(line);
}

}  // namespace

Counters countersOfCost(StepKind kind, const AccessCost& cost, bool isResultUsed) {
  Counters counters;
  switch (kind) {
    case StepKind::SharedLoad: counters.sharedLoadWavefronts = cost.wavefronts; break;
    case StepKind::SharedStore: counters.sharedStoreWavefronts = cost.wavefronts; break;
    case StepKind::SharedAtomic:
      counters.sharedLoadWavefronts = cost.loads;
      counters.sharedAtomicWavefronts = cost.wavefronts - cost.loads;
      break;
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
  if (isShared(kind)) counters.sharedIdealWavefronts = cost.ideal;
  return counters;
}

std::vector<CounterChange> counterChanges(const AccessReport& report, const AccessComparison& comparison,
                                          const AccessGroups& groups, const ExecutedAccesses* executed) {
  std::vector<CounterChange> changes;
  Counters machine = report.simulation.counters;
  for (const NamedCounter& one : nsightCounters(machine))
    changes.push_back({std::string(one.name), one.value, 0, {}});
  for (const LineAccesses& line : comparison.lines) {
    if (line.fate == AccessFate::Unclear) {
      const auto touched = nsightCounters(countersOfCost(line.kind, {1, 2, 2, 1, 1}, true));
      for (std::size_t c = 0; c < changes.size(); ++c) {
        if (touched[c].value == 0) continue;
        changes[c].isClear = false;
        addLine(changes[c], line.line);
      }
    }
    const AccessGroupKey key{line.line, line.kind};
    Counters removed;
    for (const AccessSite* site : groups.at(key).sites)
      removed += countersOfCost(line.kind, site->all, site->isResultUsed);
    const bool isResultUsed = std::ranges::any_of(groups.at(key).sites, &AccessSite::isResultUsed);
    const bool isExecuted = executed != nullptr && executed->counters.contains(key);
    if (!isExecuted && line.text == line.machine) continue;
    const Counters left =
        isExecuted ? executed->counters.at(key) : countersOfCost(line.kind, line.machine, isResultUsed);
    machine += left;
    machine -= removed;
    const auto before = nsightCounters(removed);
    const auto after = nsightCounters(left);
    for (std::size_t c = 0; c < changes.size(); ++c) {
      if (before[c].value != after[c].value) addLine(changes[c], line.line);
    }
  }
  if (executed != nullptr) machine += executed->others;
  const auto after = nsightCounters(machine);
  for (std::size_t c = 0; c < changes.size(); ++c) {
    changes[c].machine = after[c].value;
    // Accesses that are only on other lines make no difference.
    if (changes[c].isClear && changes[c].text == changes[c].machine) changes[c].lines.clear();
  }
  return changes;
}

}  // namespace lanescope
