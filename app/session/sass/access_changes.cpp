#include "app/session/sass/access_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// The text's and the machine's accesses of a kind on a line.
struct Group {
  std::vector<const AccessSite*> sites;
  std::vector<MachineAccess> machine;
  std::vector<std::string> instructions;
  bool isInLoop = false;  ///< any of the machine's
  std::optional<std::size_t> plan{};

  std::uint64_t copies() const { return machine.size(); }
  unsigned textBytes() const {
    return std::accumulate(sites.begin(), sites.end(), 0u,
                           [](unsigned sum, const AccessSite* one) { return sum + one->bytes; });
  }
  unsigned machineBytes() const {
    return std::accumulate(machine.begin(), machine.end(), 0u,
                           [](unsigned sum, const MachineAccess& one) { return sum + one.bytes; });
  }
  bool isWider() const {
    return std::ranges::any_of(machine, [this](const MachineAccess& one) {
      return std::ranges::all_of(sites, [&](const AccessSite* site) { return site->bytes < one.bytes; });
    });
  }
};

using GroupKey = std::pair<std::uint32_t, StepKind>;
using Groups = std::map<GroupKey, Group>;

bool isLoad(StepKind kind) { return kind == StepKind::SharedLoad || kind == StepKind::GlobalLoad; }
bool isStore(StepKind kind) { return isWrite(kind) && !isAtomic(kind); }

/// What an instruction is to a group: an access, a barrier of the block, a shuffle.
std::optional<MachineAccess> grouped(std::string_view sass) {
  if (auto access = accessOf(sass)) return access;
  const std::string_view opcode = opcodeOf(sass);
  const bool isPredicated = sass.starts_with('@');
  if (opcode.starts_with("BAR.SYNC") || opcode.starts_with("BAR.RED"))
    return MachineAccess{StepKind::BlockBarrier, 0, false, isPredicated, false};
  if (opcode.starts_with("SHFL")) return MachineAccess{StepKind::Shuffle, 0, true, isPredicated, false};
  return std::nullopt;
}

bool countsLanes(std::string_view opcode) {
  return opcode.starts_with("VOTE") || opcode.starts_with("REDUX") || opcode.starts_with("MATCH");
}

/// The kind that the text has on the line, where the machine's pointer is of an unknown space.
StepKind kindOnLine(const Groups& groups, std::uint32_t line, const MachineAccess& access) {
  if (!access.isGeneric) return access.kind;
  const StepKind shared = access.kind == StepKind::GlobalLoad    ? StepKind::SharedLoad
                          : access.kind == StepKind::GlobalStore ? StepKind::SharedStore
                                                                 : StepKind::SharedAtomic;
  return groups.contains({line, shared}) ? shared : access.kind;
}

Groups groupsOf(const std::vector<AccessSite>& sites, const MachineCode& code) {
  Groups groups;
  for (const AccessSite& site : sites) {
    Group& group = groups[{site.line, site.kind}];
    group.sites.push_back(&site);
  }
  for (const MachineInstruction& one : code.instructions) {
    const auto access = one.line == 0 || one.isCold ? std::nullopt : grouped(one.sass);
    if (!access) continue;
    Group& group = groups[{one.line, kindOnLine(groups, one.line, *access)}];
    group.machine.push_back(*access);
    group.instructions.push_back(
        (access->isPredicated ? one.sass.substr(0, one.sass.find(' ') + 1) : std::string()) +
        std::string(opcodeOf(one.sass)));
    group.isInLoop = group.isInLoop || one.isInLoop;
  }
  return groups;
}

/// Lines on which machine code looks at all lanes of a warp: votes and reductions.
std::set<std::uint32_t> linesWithVotes(const MachineCode& code) {
  std::set<std::uint32_t> lines;
  for (const MachineInstruction& one : code.instructions) {
    if (one.line != 0 && countsLanes(opcodeOf(one.sass))) lines.insert(one.line);
  }
  return lines;
}

/// Wide accesses of the machine in place of several of the text: on one line, or on several whose bytes are
/// as many.
std::vector<MergePlan> plansOf(Groups& groups) {
  std::vector<MergePlan> plans;
  const auto add = [&](StepKind kind, const std::vector<std::pair<const GroupKey, Group>*>& parts) {
    MergePlan plan{kind, {}, {}};
    for (auto* const part : parts) {
      for (const AccessSite* site : part->second.sites) plan.sites.push_back(site->number);
      for (const MachineAccess& one : part->second.machine) plan.widths.push_back(one.bytes);
      part->second.plan = plans.size();
    }
    plans.push_back(std::move(plan));
  };
  std::map<StepKind, std::vector<std::pair<const GroupKey, Group>*>> unbalanced;
  for (auto& entry : groups) {
    const Group& group = entry.second;
    if (!isLoad(entry.first.second) && !isStore(entry.first.second)) continue;
    if (group.textBytes() == group.machineBytes()) {
      if (group.isWider()) add(entry.first.second, {&entry});
    } else if (!group.sites.empty()) {
      unbalanced[entry.first.second].push_back(&entry);
    }
  }
  for (const auto& [kind, parts] : unbalanced) {
    unsigned text = 0;
    unsigned machine = 0;
    bool isWider = false;
    for (const auto* const part : parts) {
      text += part->second.textBytes();
      machine += part->second.machineBytes();
      isWider = isWider || (!part->second.machine.empty() && part->second.isWider());
    }
    if (text == machine && isWider) add(kind, parts);
  }
  return plans;
}

AccessCost sumOf(const std::vector<const AccessSite*>& sites, AccessCost AccessSite::*part) {
  AccessCost sum;
  for (const AccessSite* site : sites) sum += site->*part;
  return sum;
}

/// Of the text's executions the share that the thread could have done without.
double redundancy(const AccessSite& site) {
  if (site.all.executions == 0) return 0;
  return 1.0 - static_cast<double>(site.needed.executions) / static_cast<double>(site.all.executions);
}

std::string listed(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::ranges::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i), words[i]) !=
        words.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    list += (list.empty() ? "" : ", ") + words[i];
  }
  return list;
}

/// Decides a line's fate, one kind at a time.
class Judge {
 public:
  Judge(const Groups& groups, const AccessReport& report, const std::set<std::uint32_t>& votes)
      : groups_(groups), merged_(report.merged), idle_(report.idleLines), votes_(votes) {}

  LineAccesses judge(const GroupKey& key, const Group& group) {
    LineAccesses line;
    line.line = key.first;
    line.kind = key.second;
    line.inText = static_cast<std::uint32_t>(group.sites.size());
    line.text = sumOf(group.sites, &AccessSite::all);
    line.machine = line.text;
    line.executions = line.text.executions;
    line.instructions = group.instructions;
    for (const AccessSite* site : group.sites) line.texts.push_back(site->text);
    for (const MachineAccess& one : group.machine) {
      line.widths.push_back(one.bytes);
      line.isPredicated = line.isPredicated || one.isPredicated;
    }
    if (group.sites.empty()) {
      added(line);
    } else if (group.plan && merged_[*group.plan].isPossible) {
      merge(line, group);
    } else if (group.machine.empty()) {
      vanished(line, group);
    } else if (isAtomic(key.second)) {
      atomics(line, group);
    } else if (!group.isInLoop && atMost(group) < line.executions) {
      onlyNeeded(line, group);
    } else {
      fewer(line, group);
    }
    return line;
  }

 private:
  /// The executions that machine code outside every loop can have: each access once per warp.
  static std::uint64_t atMost(const Group& group) {
    std::uint64_t warps = 0;
    for (const AccessSite* site : group.sites) warps = std::max(warps, site->warps);
    return warps * group.copies();
  }

  void added(LineAccesses& line) const {
    if (idle_.contains(line.line)) {
      line.words = "This launch does not execute it.";
      return;
    }
    line.fate = AccessFate::Added;
    const auto atomics = groups_.find({line.line, StepKind::GlobalAtomic});
    if (line.kind == StepKind::Shuffle && votes_.contains(line.line) && atomics != groups_.end()) {
      // Hands the old value out to the lanes of an atomic made for the warp.
      line.machine.executions =
          sumOf(atomics->second.sites, &AccessSite::all).executions * line.widths.size();
      line.words = "The compiler's own: it hands the result of the warp's one atomic out to its lanes.";
      return;
    }
    line.words =
        "Machine code has them on this line, the text on another, or not in what this launch executes.";
  }

  void merge(LineAccesses& line, const Group& group) {
    line.fate = AccessFate::Merged;
    const unsigned widest = line.widths.empty() ? 0 : *std::ranges::max_element(line.widths);
    // A plan over several lines counts on the first that has an access in machine code.
    line.machine = {};
    if (!line.widths.empty() && counted_.insert(*group.plan).second) line.machine = merged_[*group.plan].cost;
    line.words = widest == 0
                     ? std::string("Merged with the access to the adjacent word on another line.")
                     : fmt::format("Accesses to adjacent words are merged into one of {} bits.", widest * 8);
  }

  void vanished(LineAccesses& line, const Group& group) {
    const AccessCost needed = sumOf(group.sites, &AccessSite::needed);
    const bool isMoved = needed.executions != 0 && hasSurplus(line.kind);
    line.fate = isMoved                  ? AccessFate::Moved
                : needed.executions == 0 ? AccessFate::InRegister
                                         : AccessFate::Removed;
    if (isMoved) {
      line.words = "Machine code has them on another line.";
      return;
    }
    line.machine = {};
    if (line.kind == StepKind::BlockBarrier || line.kind == StepKind::Shuffle) {
      line.words = "Gone: nothing depends on it.";
    } else if (needed.executions == 0) {
      line.words = inRegister(line.kind, line.texts);
    } else {
      line.words = fmt::format("Gone: {} is not needed.", listed(line.texts));
    }
  }

  void atomics(LineAccesses& line, const Group& group) const {
    const bool isOne = std::ranges::all_of(group.sites, &AccessSite::isOneAddress);
    if (line.kind != StepKind::GlobalAtomic || !votes_.contains(line.line) || !isOne)
      return unrolled(line, group);
    line.fate = AccessFate::Aggregated;
    line.machine.sectors = line.machine.executions;  // one lane of the warp, at one word
    line.words = "Aggregated: the lanes of a warp combine their values, and one lane makes the atomic.";
  }

  /// Machine code that cannot be executed as often as the text: of loads and stores only those that must be
  /// are left.
  void onlyNeeded(LineAccesses& line, const Group& group) const {
    const AccessCost needed = sumOf(group.sites, &AccessSite::needed);
    if (needed.executions > atMost(group)) return fewer(line, group);
    line.fate = AccessFate::InRegister;
    line.machine = needed;
    std::vector<std::string> all;
    std::vector<std::string> some;
    for (const AccessSite* site : group.sites) {
      if (redundancy(*site) == 1.0) all.push_back(site->text);
      if (redundancy(*site) > 0.0) some.push_back(site->text);
    }
    line.words =
        !all.empty() ? inRegister(line.kind, all)
        : isLoad(line.kind)
            ? fmt::format("Loaded once: afterwards the thread has the value of {} in a register.",
                          listed(some))
            : fmt::format("Kept in a register: {} is stored once, when the loop is done.", listed(some));
  }

  /// Loads and stores that the machine does not make at all.
  static std::string inRegister(StepKind kind, const std::vector<std::string>& texts) {
    return isLoad(kind)
               ? fmt::format("Not loaded: the thread has the value of {} in a register.", listed(texts))
               : fmt::format(
                     "Not stored: the thread keeps {} in a register, and stores it anew before the next "
                     "barrier.",
                     listed(texts));
  }

  /// Machine code with fewer places than the text, or with a number that is no multiple of it.
  void fewer(LineAccesses& line, const Group& group) const {
    std::vector<const AccessSite*> left = group.sites;
    std::ranges::stable_sort(left, {}, [](const AccessSite* one) { return redundancy(*one); });
    const std::size_t places = left.size();
    if (group.copies() >= places && group.copies() % places == 0) return unrolled(line, group);
    std::size_t keep = std::min<std::size_t>(places, group.copies());
    if (group.copies() > places) {
      keep = places;
      while (keep > 1 && group.copies() % keep != 0 && redundancy(*left[keep - 1]) == 1.0) --keep;
    }
    if (keep == places) return unrolled(line, group);
    std::vector<std::string> gone;
    bool isExplained = true;
    for (std::size_t i = keep; i < places; ++i) {
      gone.push_back(left[i]->text);
      isExplained = isExplained && redundancy(*left[i]) == 1.0;
    }
    left.resize(keep);
    line.machine = sumOf(left, &AccessSite::all);
    line.fate = isExplained ? AccessFate::InRegister : AccessFate::Removed;
    line.words = isExplained
                     ? inRegister(line.kind, gone)
                     : fmt::format("{} of {} {} gone: not needed, or the same as another.", places - keep,
                                   listed(line.texts), places - keep == 1 ? "is" : "are");
  }

  static void unrolled(LineAccesses& line, const Group& group) {
    const std::size_t places = group.sites.size();
    if (group.copies() <= places) return;
    line.fate = AccessFate::Unrolled;
    line.words =
        group.copies() % places == 0
            ? fmt::format("Unrolled or made for several cases: {} copies.", group.copies() / places)
            : fmt::format("Unrolled or made for several cases: {} in place of {}.", group.copies(), places);
  }

  /// Whether machine code has more of a kind on some line than the text has there.
  bool hasSurplus(StepKind kind) const {
    return std::ranges::any_of(groups_, [kind](const auto& entry) {
      return entry.first.second == kind && entry.second.sites.empty() && !entry.second.machine.empty();
    });
  }

  const Groups& groups_;
  const std::vector<MergedCost>& merged_;
  const std::set<std::uint32_t>& idle_;
  const std::set<std::uint32_t>& votes_;
  std::set<std::size_t> counted_;  ///< plans
};

/// A line's cost as counters.
Counters countersOf(const LineAccesses& line, const AccessCost& cost, bool isResultUsed) {
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

std::vector<CounterChange> countersOf(const AccessReport& report, const AccessComparison& comparison,
                                      const Groups& groups) {
  std::vector<CounterChange> changes;
  Counters machine = report.simulation.counters;
  for (const NamedCounter& one : nsightCounters(machine))
    changes.push_back({std::string(one.name), one.value, 0, {}});
  for (const LineAccesses& line : comparison.lines) {
    if (line.text == line.machine) continue;
    const Group& group = groups.at({line.line, line.kind});
    const bool isResultUsed = std::ranges::any_of(group.sites, &AccessSite::isResultUsed);
    const Counters removed = countersOf(line, line.text, isResultUsed);
    const Counters left = countersOf(line, line.machine, isResultUsed);
    machine += left;
    machine -= removed;
    const auto before = nsightCounters(removed);
    const auto after = nsightCounters(left);
    for (std::size_t c = 0; c < changes.size(); ++c) {
      if (before[c].value == after[c].value) continue;
      std::vector<std::uint32_t>& lines = changes[c].lines;
      if (lines.empty() || lines.back() != line.line) lines.push_back(line.line);
    }
  }
  const auto after = nsightCounters(machine);
  for (std::size_t c = 0; c < changes.size(); ++c) changes[c].machine = after[c].value;
  return changes;
}

}  // namespace

std::string_view accessName(StepKind kind) {
  switch (kind) {
    case StepKind::SharedLoad: return "shared load";
    case StepKind::SharedStore: return "shared store";
    case StepKind::SharedAtomic: return "shared atomic";
    case StepKind::GlobalLoad: return "global load";
    case StepKind::GlobalStore: return "global store";
    case StepKind::GlobalAtomic: return "global atomic";
    case StepKind::BlockBarrier: return "barrier";
    case StepKind::Shuffle: return "shuffle";
    default: return "instruction";
  }
}

Result<AccessComparison> compareAccesses(const Launch& launch, const MachineCode& code,
                                         std::uint64_t mostAccesses) {
  auto report = observeAccesses(launch, {}, mostAccesses);
  if (!report) return report.error();
  Groups groups = groupsOf(report->sites, code);
  const std::vector<MergePlan> plans = plansOf(groups);
  if (!plans.empty()) {
    report = observeAccesses(launch, plans, mostAccesses);
    if (!report) return report.error();
    groups = groupsOf(report->sites, code);
    plansOf(groups);
  }
  AccessComparison comparison;
  comparison.blocks = report->blocks;
  comparison.gridBlocks = launch.grid.count();
  const std::set<std::uint32_t> votes = linesWithVotes(code);
  Judge judge(groups, *report, votes);
  for (const auto& [key, group] : groups) comparison.lines.push_back(judge.judge(key, group));
  comparison.counters = countersOf(*report, comparison, groups);
  const std::uint64_t lanes = launch.machine.warpSize;
  comparison.slots =
      issueSlots(code, report->operations, report->blocks * ((launch.block.count() + lanes - 1) / lanes));
  return comparison;
}

}  // namespace lanescope
