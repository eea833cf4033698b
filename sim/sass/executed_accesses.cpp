#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/sass/access_changes.h"
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

namespace {

/// An update of shared memory that is repeated until it succeeds.
bool isSpin(const MachineInstruction& one) {
  return parseOpcode(one.sass).find(".CAST") != std::string_view::npos;
}

AccessCost computeCost(const InstructionRun& one, StepKind kind) {
  // The GPU counts each issued instruction that is not an access.
  const bool isAccess = kind != StepKind::BlockBarrier && kind != StepKind::Shuffle;
  return isAccess ? one.cost : AccessCost{one.issued, 0, 0, 0};
}

/// The sentence for a line with executed accesses that differ from those of its text.
void reword(LineAccesses& line, const AccessGroup& group) {
  const std::uint64_t text = line.text.executions;
  const std::uint64_t machine = line.machine.executions;
  const unsigned widest = line.widths.empty() ? 0 : *std::ranges::max_element(line.widths);
  const std::string places = fmt::format("{} of the text's {}", withCommas(machine), withCommas(text));
  line.words.clear();
  if (line.machine == line.text) {
    line.fate = line.widths.size() > line.inText ? AccessFate::Unrolled : AccessFate::AsWritten;
    if (line.fate == AccessFate::Unrolled) line.words = "Unrolled or made for several cases.";
  } else if (line.inText == 0) {
    line.fate = AccessFate::Added;
    line.words =
        fmt::format("Machine code executes {} here; the text has them on another line.", withCommas(machine));
  } else if (machine == 0) {
    line.fate = AccessFate::Removed;
    line.words = "Not executed: machine code has the values in registers, or makes them on another line.";
  } else if (isAtomic(line.kind) && machine == text) {
    line.fate = AccessFate::Aggregated;
    line.words = "Aggregated: the lanes of a warp combine their values, and one lane makes the atomic.";
  } else if (machine <= text && group.isWider()) {
    line.fate = AccessFate::Merged;
    line.words = fmt::format("Executed {} times, in accesses of up to {} bits: they take adjacent words.",
                             places, 8 * widest);
  } else if (machine < text) {
    line.fate = AccessFate::InRegister;
    line.words = fmt::format(
        "Executed {} times: the other values are in registers, or one access serves the lanes of several.",
        places);
  } else if (machine > text) {
    line.fate = AccessFate::Unrolled;
    line.words = fmt::format(
        "Executed {} times in place of {}: its lanes are in different pieces of the machine code.",
        withCommas(machine), withCommas(text));
  } else {
    line.fate = AccessFate::Together;
    line.words = "Executed as often as in the text, with other lanes together.";
  }
}

}  // namespace

ExecutedAccesses executedAccesses(const MachineRun& run, const MachineCode& code,
                                  const AccessGroups& groups) {
  ExecutedAccesses executed;
  std::set<std::size_t> taken;  // an access of a header may be of several lines: it is the first one's
  for (const auto& [key, group] : groups) {
    AccessCost sum;
    Counters counters;
    bool isSpinning = false;
    for (std::size_t i = 0; i < group.numbers.size(); ++i) {
      const std::size_t number = group.numbers[i];
      isSpinning = isSpinning || isSpin(code.instructions[number]);
      if (!taken.insert(number).second) continue;
      const AccessCost cost = computeCost(run.instructions[number], key.second);
      sum += cost;
      counters += countersOfCost(key.second, cost, group.machine[i].isResultUsed);
    }
    if (isSpinning) {
      // Its loads are the atomic's, as the simulator counts them.
      const auto loads = executed.costs.find({key.first, StepKind::SharedLoad});
      if (loads != executed.costs.end() && groups.at(loads->first).sites.empty()) {
        AccessCost& load = loads->second;
        sum.wavefronts += load.wavefronts;
        sum.ideal += load.ideal;
        sum.loads += load.wavefronts;
        counters += executed.counters[loads->first];
        executed.counters[loads->first] = {};
        load = {};
      }
      for (const AccessSite* site : group.sites) sum.executions = site->all.executions;
    }
    executed.costs.insert_or_assign(key, sum);
    executed.counters.insert_or_assign(key, counters);
    const bool isContended = std::ranges::any_of(group.sites, &AccessSite::isContended);
    if (isContended || (isSpinning && run.dependsOnTime)) {
      executed.costs.erase(key);
      executed.counters.erase(key);
    }
  }
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    const auto access = parseGroupedAccess(code.instructions[i].sass);
    if (!access || taken.contains(i)) continue;
    const AccessCost cost = computeCost(run.instructions[i], access->kind);
    executed.others += countersOfCost(access->kind, cost, access->isResultUsed);
  }
  return executed;
}

void addExecuted(AccessComparison& comparison, const ExecutedAccesses& executed, const AccessGroups& groups) {
  for (LineAccesses& line : comparison.lines) {
    const AccessGroupKey key{line.line, line.kind};
    const auto found = executed.costs.find(key);
    if (found == executed.costs.end()) continue;
    const bool isNone = found->second.executions == 0;
    const bool isKnown = line.fate != AccessFate::Unclear &&
                         (line.machine == found->second || (line.fate == AccessFate::Moved && isNone));
    line.machine = found->second;
    if (!isKnown && !(groups.at(key).sites.empty() && found->second == AccessCost{}))
      reword(line, groups.at(key));
  }
}

Counters executedCounters(const MachineRun& run, const MachineCode& code) {
  Counters counters;
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    const auto access = parseGroupedAccess(code.instructions[i].sass);
    if (!access) continue;
    const AccessCost cost = computeCost(run.instructions[i], access->kind);
    counters += countersOfCost(access->kind, cost, access->isResultUsed);
  }
  return counters;
}

std::vector<LineSlots> executedSlots(const MachineRun& run, const MachineCode& code) {
  std::map<std::uint32_t, LineSlots> byLine;
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    LineSlots& line = byLine[code.instructions[i].line];
    line.line = code.instructions[i].line;
    ++line.instructions;
    line.slots += static_cast<double>(run.instructions[i].issued);
  }
  std::vector<LineSlots> all;
  all.reserve(byLine.size());
  for (const auto& [number, line] : byLine) all.push_back(line);
  return all;
}

}  // namespace lanescope
