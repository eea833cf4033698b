#include "sim/sass/access_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "sim/sass/access_groups.h"
#include "sim/sass/machine_run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

AccessCost computeSum(const std::vector<const AccessSite*>& sites, AccessCost AccessSite::*part) {
  AccessCost sum;
  for (const AccessSite* site : sites) sum += site->*part;
  return sum;
}

std::string listedOnce(const std::vector<std::string>& words) {
  std::vector<std::string> once;
  for (const std::string& word : words) {
    if (std::ranges::count(once, word) == 0) once.push_back(word);
  }
  return fmt::format("{}", fmt::join(once, ", "));
}

/// Warp instructions of machine code that are executed for each access of the text that may be observed.
constexpr std::uint64_t kIssuedPerAccess = 16;

/// Decides a line's fate, one kind at a time.
class Judge {
 public:
  /// `warps`: of the blocks observed.
  Judge(const AccessGroups& groups, const AccessReport& report, const MachineCode& code, std::uint64_t warps)
      : groups_(groups),
        merged_(report.merged),
        idle_(report.idleLines),
        votes_(linesWithVotes(code)),
        warps_(warps) {
    for (const MachineInstruction& one : code.instructions) {
      hasCalls_ = hasCalls_ || parseOpcode(one.sass).starts_with("CALL");
    }
  }

  LineAccesses judge(const AccessGroupKey& key, const AccessGroup& group) {
    LineAccesses line;
    line.line = key.first;
    line.kind = key.second;
    line.inText = static_cast<std::uint32_t>(group.sites.size());
    line.machine = line.text = computeSum(group.sites, &AccessSite::all);
    line.executions = line.text.executions;
    line.instructions = group.instructions;
    for (const AccessSite* site : group.sites) line.texts.push_back(site->text);
    for (const MachineAccess& one : group.machine) {
      line.widths.push_back(one.bytes);
      line.isPredicated = line.isPredicated || one.isPredicated;
    }
    if (group.sites.empty()) {
      added(line);
    } else if (std::ranges::any_of(group.sites, &AccessSite::isContended)) {
      unclear(line);
      line.words =
          "In a loop over atomicCAS of a word that several warps update: how often it runs depends on which "
          "comes first.";
    } else if (group.isDoubtful) {
      unclear(line);
    } else if (group.plan && merged_[*group.plan].isPossible) {
      merge(line, group);
    } else if (group.machine.empty()) {
      vanished(line, group);
    } else if (isAtomic(key.second)) {
      atomics(line, group);
    } else if (key.second == StepKind::Shuffle) {
      shuffles(line, group);
    } else if (!inPieces(line, group) && !widened(line, group) && !narrowed(line, group) &&
               !joined(line, group) && !hoisted(line, group)) {
      if (!group.isInLoop && !group.isOnce() && group.atMost() < line.executions) {
        onlyNeeded(line, group);
      } else {
        fewer(line, group);
      }
    }
    return line;
  }

 private:
  void added(LineAccesses& line) const {
    if (idle_.contains(line.line)) {
      line.words = "This launch does not execute it.";
      return;
    }
    line.fate = AccessFate::Added;
    auto atomics = groups_.find({line.line, StepKind::GlobalAtomic});
    if (atomics == groups_.end()) atomics = groups_.find({line.line, StepKind::SharedAtomic});
    const bool isLoop = line.kind == StepKind::SharedLoad && atomics != groups_.end();
    if (isLoop) {
      const bool isCounted = isCountedLoop(atomics->second);
      if (!isCounted) unclear(line);
      line.machine = {};
      line.words = isCounted ? "The compiler's own: its loop loads what it updates, counted with the atomic."
                             : "The compiler's own: a compare-and-swap begins with what it expects.";
      return;
    }
    if (line.kind == StepKind::Shuffle && votes_.contains(line.line) && atomics != groups_.end()) {
      // Hands the old value out to the lanes of an atomic made for the warp.
      line.machine.executions =
          computeSum(atomics->second.sites, &AccessSite::all).executions * line.widths.size();
      line.words = "The compiler's own: it hands the result of the warp's one atomic out to its lanes.";
      return;
    }
    line.words =
        "Machine code has them on this line, the text on another, or not in what this launch executes.";
  }

  void merge(LineAccesses& line, const AccessGroup& group) {
    line.fate = AccessFate::Merged;
    const unsigned widest = line.widths.empty() ? 0 : *std::ranges::max_element(line.widths);
    // A plan over several lines counts on the first that has an access in machine code.
    line.machine = {};
    if (!line.widths.empty() && counted_.insert(*group.plan).second) line.machine = merged_[*group.plan].cost;
    line.words = widest == 0
                     ? std::string("Merged with the access to the adjacent word on another line.")
                     : fmt::format("Accesses to adjacent words are merged into one of {} bits.", widest * 8);
  }

  void vanished(LineAccesses& line, const AccessGroup& group) {
    const AccessCost needed = computeSum(group.sites, &AccessSite::needed);
    if (group.isMoved && needed.executions != 0) return moved(line, group);
    if (joined(line, group)) return;
    line.fate = needed.executions == 0 ? AccessFate::InRegister : AccessFate::Removed;
    line.machine = {};
    if (line.kind == StepKind::BlockBarrier || line.kind == StepKind::Shuffle) {
      line.words = "Gone: its result is unused.";
    } else if (needed.executions == 0) {
      line.words = inRegister(line.kind, line.texts);
    } else if (line.kind == StepKind::GlobalLoad &&
               computeSum(group.sites, &AccessSite::once).executions == 0) {
      line.fate = AccessFate::InRegister;
      line.words = inRegister(line.kind, line.texts);
    } else {
      line.words = fmt::format("Gone: {} is not needed.", listedOnce(line.texts));
    }
  }

  /// Accesses that machine code has on a line that has none in the text.
  void moved(LineAccesses& line, const AccessGroup& group) {
    AccessCost text;
    AccessCost once;
    std::uint64_t warps = 0;
    std::uint64_t places = 0;
    std::uint64_t copies = 0;
    bool isInLoop = false;
    bool isCertain = true;
    for (const auto& [key, other] : groups_) {
      if (key.second != line.kind) continue;
      if (other.together == group.together) {
        text += computeSum(other.sites, &AccessSite::all);
        once += computeSum(other.sites, &AccessSite::once);
        places += other.sites.size();
        for (const AccessSite* site : other.sites) warps = std::max(warps, site->warps);
      } else if (other.sites.empty() && !idle_.contains(key.first)) {
        copies += other.copies();
        isInLoop = isInLoop || other.isInLoop;
        isCertain = isCertain && other.isCertain;
      }
    }
    const AccessCost& together = merged_[*group.together].cost;
    const bool isFirst = counted_.insert(*group.together).second;
    line.fate = AccessFate::Moved;
    line.words = "Machine code has them on another line.";
    const std::uint64_t most = isInLoop ? text.executions : warps * copies;
    const bool isAll = !isCertain || text.executions == warps_ * copies;
    if (copies >= places && text.executions <= most && isAll) return;
    const bool isHoisted = text.executions > warps * places;
    const bool isOnce = line.kind == StepKind::GlobalLoad && once.executions <= most;
    if (!isAll && together.executions != warps_ * copies) return unclear(line);
    if (together.executions <= most && together.executions < text.executions) {
      line.machine = isFirst ? together : AccessCost{};
    } else if (isOnce && !isInLoop) {
      line.machine = isFirst ? once : AccessCost{};
    } else {
      return unclear(line);
    }
    line.words = isHoisted
                     ? "Loaded once, on another line: afterwards the thread has the value in a register."
                     : "Made on another line, once for the lanes of several places of the text.";
    if (isHoisted && isPlainStore(line.kind)) line.words = "Stored once, on another line.";
  }

  /// One access for the lanes of several places, as of both sides of a branch.
  bool joined(LineAccesses& line, const AccessGroup& group) {
    if (!group.together || group.isMoved) return false;
    AccessCost text;
    std::string lines;
    bool isExplained = true;
    for (const auto& [key, other] : groups_) {
      if (key.second != line.kind || other.together != group.together) continue;
      text += computeSum(other.sites, &AccessSite::all);
      for (const AccessSite* site : other.sites) isExplained = isExplained && redundancy(*site) == 0.0;
      if (key.first != line.line) lines = fmt::format(" of line {}", key.first);
    }
    const AccessCost& together = merged_[*group.together].cost;
    const bool isFewer =
        group.copies() < group.sites.size() || (!group.isInLoop && group.atMost() < text.executions);
    if (!isFewer || !isExplained || together.executions >= text.executions) return false;
    line.fate = AccessFate::Together;
    line.machine = group.machine.empty() ? AccessCost{} : together;
    line.words = lines.empty() ? "Made once, for the lanes of several places of the line."
                               : fmt::format("Made together with that{}, once for the lanes of both.", lines);
    return true;
  }

  /// Successive executions of a loop that was unrolled, in wider accesses.
  bool widened(LineAccesses& line, const AccessGroup& group) const {
    const unsigned widest = line.widths.empty() ? 0 : *std::ranges::max_element(line.widths);
    std::vector<const AccessSite*> merged;
    AccessCost cost;
    for (const AccessSite* site : group.sites) {
      const std::size_t run = widest == 4 * site->bytes ? 1 : 0;
      const bool isRun = widest > site->bytes && widest <= 4 * site->bytes && site->runs[run].merged > 0;
      cost += isRun ? site->runs[run].cost : site->all;
      if (isRun) merged.push_back(site);
    }
    const bool isWide =
        std::ranges::all_of(group.sites, [widest](const AccessSite* one) { return one->bytes < widest; });
    if (!isWide) return false;
    if (merged.empty() || (group.mixesWidths() && merged.size() == group.sites.size())) {
      unclear(line);
      return true;
    }
    line.fate = AccessFate::Merged;
    line.machine = cost;
    std::vector<std::string> texts(merged.size());
    std::ranges::transform(merged, texts.begin(), [](auto* one) { return one->text; });
    line.words = fmt::format("Unrolled, and {} of successive iterations merged into accesses of {} bits.",
                             listedOnce(texts), widest * 8);
    return true;
  }

  /// A loop in pieces of several iterations, unless the pieces just make the text's accesses.
  bool inPieces(LineAccesses& line, const AccessGroup& group) const {
    if (!group.loop || merged_[*group.loop] == MergedCost{line.text, true}) return false;
    line.fate = group.isWider() ? AccessFate::Merged : AccessFate::Unrolled;
    line.machine = merged_[*group.loop].cost;
    line.words = makeSentence(findLoopPieces(group));
    if (!merged_[*group.loop].isPossible) unclear(line);
    return true;
  }

  /// Only parts of values wider than 32 bits.
  bool narrowed(LineAccesses& line, const AccessGroup& group) const {
    const unsigned least = line.widths.empty() ? 0 : *std::ranges::min_element(line.widths);
    const unsigned most = line.widths.empty() ? 0 : *std::ranges::max_element(line.widths);
    const bool isNarrow =
        (most == 4 || most == 8) &&
        std::ranges::all_of(group.sites, [most](const AccessSite* one) { return one->bytes > most; });
    if (!isNarrow) return false;
    const std::size_t places = group.sites.size();
    if (least != most || group.copies() % places != 0 || line.kind == StepKind::GlobalStore) {
      unclear(line);
      return true;
    }
    const AccessCost part = computeSum(group.sites, most == 4 ? &AccessSite::first32 : &AccessSite::first64);
    line.machine = {};
    for (std::size_t i = 0; i < group.copies() / places; ++i) line.machine += part;
    line.fate = AccessFate::Narrowed;
    line.words =
        fmt::format("Only {} bits at a time of {}, in {} access{}.", most * 8, listedOnce(line.texts),
                    group.copies() / places, group.copies() == places ? "" : "es");
    return true;
  }

  /// Some of a loop's accesses once, before it.
  bool hoisted(LineAccesses& line, const AccessGroup& group) const {
    if (!group.isInLoop || group.outsideLoops == 0 || group.sites.size() < 2) return false;
    std::vector<std::string> gone;
    AccessCost cost;
    for (const AccessSite* site : group.sites) {
      const bool isKept =
          redundancy(*site) > 0.0 && site->needed.executions <= site->warps * group.outsideLoops;
      cost += isKept ? site->needed : site->all;
      if (isKept) gone.push_back(site->text);
    }
    if (gone.empty() || gone.size() == group.sites.size()) return false;
    line.fate = AccessFate::InRegister;
    line.machine = cost;
    line.words = fmt::format("Not made in each iteration: the thread has the value of {} in a register.",
                             listedOnce(gone));
    return true;
  }

  static void unclear(LineAccesses& line) {
    line.fate = AccessFate::Unclear;
    line.words = "How often machine code makes them does not follow from the text.";
  }

  /// A value of 64 bits is passed in two halves.
  static void shuffles(LineAccesses& line, const AccessGroup& group) {
    std::uint64_t halves = 0;
    for (const AccessSite* site : group.sites) halves += site->all.executions * (site->bytes == 8 ? 1 : 0);
    unrolled(line, group);
    if (halves == 0) return;
    line.fate = AccessFate::Narrowed;
    line.machine.executions += halves;
    line.words = "A value of 64 bits takes two shuffles of 32 bits.";
  }

  /// True if the counters have an atomic's loop: it is of shared memory, no other warp takes part in it, and
  /// it does not depend on values.
  static bool isCountedLoop(const AccessGroup& group) {
    return std::ranges::all_of(group.sites, [](const AccessSite* site) {
      const bool isUpdate =
          std::ranges::none_of(std::array{"Min", "Max", "And", "Or"}, [&](const char* name) {
            return site->text.find(std::string("atomic") + name) != std::string::npos;
          });
      return site->kind == StepKind::SharedAtomic && !site->isAmongWarps && (site->bytes < 8 || isUpdate);
    });
  }

  void atomics(LineAccesses& line, const AccessGroup& group) const {
    const bool isOne = std::ranges::all_of(group.sites, &AccessSite::isOneAddress);
    const bool isLoop = std::ranges::any_of(group.instructions, [](const std::string& one) {
      return one.find(".CAST") != std::string::npos || one.find(".CAS") != std::string::npos;
    });
    const bool isWritten = std::ranges::any_of(
        group.sites, [](const AccessSite* one) { return one->text.find("CAS") != std::string::npos; });
    if (isLoop && !isWritten && isCountedLoop(group)) {
      unrolled(line, group);
      line.words = "A loop over compare-and-swap, counted as one: no two warps update one word.";
      return;
    }
    if (isLoop && !isWritten) {
      unclear(line);
      line.words = "A loop over compare-and-swap: its iterations depend on which warps meet.";
      return;
    }
    if (!votes_.contains(line.line) || !isOne) return unrolled(line, group);
    line.fate = AccessFate::Aggregated;
    // One lane of the warp, at one word.
    if (line.kind == StepKind::GlobalAtomic) {
      line.machine.sectors = line.machine.executions;
    } else {
      line.machine.wavefronts = line.machine.executions;
      line.machine.ideal = line.machine.executions;
    }
    line.words = "Aggregated: the lanes of a warp combine their values, and one lane makes the atomic.";
  }

  /// Machine code that cannot be executed as often as the text: only the loads and stores that must stay are
  /// left.
  void onlyNeeded(LineAccesses& line, const AccessGroup& group) const {
    const AccessCost needed = computeSum(group.sites, &AccessSite::needed);
    if (needed.executions > group.atMost()) return unclear(line);
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
        : isPlainLoad(line.kind)
            ? fmt::format("Loaded once: afterwards the thread has the value of {} in a register.",
                          listedOnce(some))
            : fmt::format("Kept in a register: {} is stored once, when the loop is done.", listedOnce(some));
  }

  /// Loads and stores that the machine does not make at all.
  static std::string inRegister(StepKind kind, const std::vector<std::string>& texts) {
    return isPlainLoad(kind)
               ? fmt::format("Not loaded: the thread has the value of {} in a register.", listedOnce(texts))
               : fmt::format(
                     "Not stored: the thread keeps {} in a register, and stores it anew before the next "
                     "barrier.",
                     listedOnce(texts));
  }

  /// Machine code with fewer places than the text, or with a number that is not a multiple of the text's.
  void fewer(LineAccesses& line, const AccessGroup& group) const {
    std::vector<const AccessSite*> left = group.sites;
    std::ranges::stable_sort(left, {}, [](const AccessSite* one) {
      return std::pair(redundancy(*one), -static_cast<std::int64_t>(one->acrossStores));
    });
    const std::size_t places = left.size();
    if (hasCalls_ &&
        std::ranges::all_of(left, [&](const AccessSite* one) { return one->text == left[0]->text; }))
      return;
    if (group.copies() >= places && group.copies() % places == 0) return unrolled(line, group);
    auto keep = static_cast<std::size_t>(std::min<std::uint64_t>(places, group.copies()));
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
    line.machine = computeSum(left, &AccessSite::all);
    line.fate = isExplained ? AccessFate::InRegister : AccessFate::Removed;
    line.words = isExplained
                     ? inRegister(line.kind, gone)
                     : fmt::format("{} of {} {} gone: not needed, or the same as another.", places - keep,
                                   listedOnce(line.texts), places - keep == 1 ? "is" : "are");
  }

  static void unrolled(LineAccesses& line, const AccessGroup& group) {
    const std::size_t places = group.sites.size();
    if (group.copies() <= places) return;
    line.fate = AccessFate::Unrolled;
    line.words =
        group.copies() % places == 0
            ? fmt::format("Unrolled or made for several cases: {} copies.", group.copies() / places)
            : fmt::format("Unrolled or made for several cases: {} in place of {}.", group.copies(), places);
  }

  const AccessGroups& groups_;
  const std::vector<MergedCost>& merged_;
  const std::set<std::uint32_t>& idle_;
  std::set<std::uint32_t> votes_;
  std::uint64_t warps_;
  bool hasCalls_ = false;          ///< of functions that are not inlined: one place for each of them
  std::set<std::size_t> counted_;  ///< plans
};

}  // namespace

Result<AccessComparison> compareAccesses(const Launch& launch, const MachineCode& code,
                                         std::uint64_t mostAccesses) {
  auto report = observeAccesses(launch, {}, mostAccesses);
  if (!report) return report.error();
  AccessGroups groups = makeGroups(report->sites, code);
  const std::vector<MergePlan> plans = makePlans(groups);
  if (!plans.empty()) {
    report = observeAccesses(launch, plans, mostAccesses);
    if (!report) return report.error();
    groups = makeGroups(report->sites, code);
    makePlans(groups);
  }
  AccessComparison comparison{.blocks = report->blocks, .gridBlocks = launch.grid.count()};
  const std::uint64_t lanes = launch.machine.warpSize;
  const std::uint64_t warps = report->blocks * ((launch.block.count() + lanes - 1) / lanes);
  Judge judge(groups, *report, code, warps);
  for (const auto& [key, group] : groups) comparison.lines.push_back(judge.judge(key, group));
  const auto run = runMachineCode(launch, code, report->blocks, kIssuedPerAccess * mostAccesses);
  if (!run) {
    comparison.notExecuted = run.error().message;
    comparison.counters = counterChanges(*report, comparison, groups, nullptr);
    comparison.slots = issueSlots(code, report->operations, warps);
    return comparison;
  }
  const ExecutedAccesses executed = executedAccesses(*run, code, groups);
  addExecuted(comparison, executed, groups);
  comparison.counters = counterChanges(*report, comparison, groups, &executed);
  comparison.slots = executedSlots(*run, code);
  return comparison;
}

}  // namespace lanescope
