// Why a right answer is right, found in the trace.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/analysis/step_facts.h"
#include "app/course/questions.h"
#include "app/workbench/walk.h"
#include "sim/base/counted.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostRows = 4;

/// `lane **4**`, `lanes **0-7**`.
std::string lanesText(LaneMask mask) {
  return fmt::format("{} **{}**", std::has_single_bit(mask) ? "lane" : "lanes", numbersText(listLanes(mask)));
}
unsigned laneCount(LaneMask mask) { return static_cast<unsigned>(std::popcount(mask)); }

/// A variable's values in a step's active lanes, in their order; nullopt if not seen yet.
using LaneValues = std::vector<std::optional<VariableValue>>;

/// The variables' values at that step's beginning: the last change of each by the warp's lanes, found in one
/// walk back over the warp's steps, which ends once all are known.
std::vector<LaneValues> valuesBefore(const Trace& trace, const Step& step,
                                     const std::vector<std::uint32_t>& variables) {
  const std::vector<std::uint32_t> lanes = listLanes(step.active);
  const std::uint32_t firstThread = step.warp * trace.launch.machine.warpSize;
  std::vector<LaneValues> values(variables.size(), LaneValues(lanes.size()));
  std::size_t missing = variables.size() * lanes.size();
  for (std::int32_t at = step.previousOfWarp; at >= 0 && missing > 0;) {
    const Step before = trace.steps[static_cast<std::size_t>(at)];
    at = before.previousOfWarp;
    forEachChange(trace, before, [&](const VariableChange& change) {
      const auto variable = std::ranges::find(variables, change.variable);
      const auto lane = std::ranges::lower_bound(lanes, change.thread - firstThread);
      if (variable == variables.end() || lane == lanes.end() || *lane != change.thread - firstThread) return;
      std::optional<VariableValue>& value = values[static_cast<std::size_t>(variable - variables.begin())]
                                                  [static_cast<std::size_t>(lane - lanes.begin())];
      if (value) return;
      value = change.after;
      --missing;
    });
  }
  return values;
}

class Explainer {
 public:
  Explainer(const Trace& trace, const RacePlaces& races, const Question& question)
      : trace_(trace),
        races_(races),
        question_(question),
        phase_(trace.phases[question.phase]),
        step_(trace.steps[question.step]) {}

  std::string explain() const {
    switch (question_.kind) {
      case QuestionKind::ActiveLanes: return question_.ofPhase ? phaseThreads() : lanes();
      case QuestionKind::Wavefronts: return wavefronts();
      case QuestionKind::Sectors: return question_.ofPhase ? phaseSectors() : sectors(step_);
      case QuestionKind::CellValue: return value();
      case QuestionKind::Race: return question_.right.yes ? race() : noRace();
      case QuestionKind::Divergence: return question_.ofPhase ? phaseDivergence() : divergence(step_);
    }
    return "";
  }

 private:
  std::string variablesIn(const Step& step) const {
    const std::vector<std::uint32_t> named = variablesNamed(step);
    const std::vector<LaneValues> values = valuesBefore(trace_, step, named);
    std::vector<std::string> reasons;
    for (std::size_t i = 0; i < named.size(); ++i) {
      std::string text = valuesText(trace_.variables[named[i]], values[i]);
      if (!text.empty()) reasons.push_back(std::move(text));
    }
    return fmt::format("{}", fmt::join(reasons, "; "));
  }

  // The variables in the step's source text, in their order there.
  std::vector<std::uint32_t> variablesNamed(const Step& step) const {
    const std::string_view code =
        trace_.launch.source == nullptr ? std::string_view() : trace_.launch.source->slice(step.span);
    const auto isLetter = [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    std::vector<std::uint32_t> named;
    std::vector<std::string_view> seen;
    for (std::size_t at = 0; at < code.size();) {
      std::size_t end = at;
      while (end < code.size() && isLetter(code[end])) ++end;
      const std::string_view name = code.substr(at, end - at);
      at = std::max(end, at + 1);
      if (name.empty() || std::ranges::find(seen, name) != seen.end()) continue;
      seen.push_back(name);
      const std::optional<std::uint32_t> variable = variableNamed(trace_, step, name);
      if (variable && trace_.variables[*variable].type != ValueType::Pointer) named.push_back(*variable);
    }
    return named;
  }

  // `tid` = 32, 33 ... 63; `s` = 4. Empty if a lane has not set it.
  std::string valuesText(const TracedVariable& variable, const LaneValues& values) const {
    std::vector<std::string> texts;
    for (const std::optional<VariableValue>& value : values) {
      if (!value || !value->set) return "";
      texts.push_back(formatValue(variable.type, value->bits));
    }
    if (texts.empty()) return "";
    const bool same =
        std::ranges::all_of(texts, [&](const std::string& text) { return text == texts.front(); });
    if (same) return fmt::format("`{}` = {}", variable.name, texts.front());
    if (texts.size() > 4)
      return fmt::format("`{}` = {}, {} ... {}", variable.name, texts[0], texts[1], texts.back());
    return fmt::format("`{}` = {}", variable.name, fmt::join(texts, ", "));
  }

  std::string lanes() const {
    const unsigned active = laneCount(step_.active);
    if (step_.kind != StepKind::Branch) {
      if (step_.active == allLanes(trace_, step_.warp))
        return fmt::format("All lanes of warp {} are together again here.", step_.warp);
      if (step_.maskedBy == 0)
        return fmt::format("Only {} {} still at work.", lanesText(step_.active),
                           isOrAre(laneCount(step_.active)));
      return fmt::format(
          "The branch on line {} lets {} through; the others of warp {} are masked off and wait.",
          step_.maskedBy, lanesText(step_.active), step_.warp);
    }
    const LaneMask taken = step_.taken & step_.active;
    const std::string with = variablesIn(step_);
    std::string text = with.empty() ? "" : "Here " + with + ". ";
    text += fmt::format("`{}` ", machineCodeFor(trace_, step_));
    if (taken == 0) return text + "holds for no lane: the warp skips what it guards.";
    if (taken == step_.active)
      return text +
             fmt::format("holds for all {} active {}: none waits.", active, active == 1 ? "lane" : "lanes");
    return text + fmt::format("holds for {}; the other {} of warp {} {} masked off.", lanesText(taken),
                              counted(active - laneCount(taken), "active lane"), step_.warp,
                              isOrAre(active - laneCount(taken)));
  }

  std::string phaseThreads() const {
    std::string text =
        fmt::format("**{}** of {} of the block touch memory or shuffle in this phase.",
                    withCommas(phase_.activeThreads.size()), counted(trace_.threads, "thread"));
    for (std::uint32_t index = phase_.firstStep; index < phase_.endStep; ++index) {
      const Step step = trace_.steps[index];
      if (step.kind != StepKind::Branch || (question_.ofWarp && step.warp != question_.warp)) continue;
      const LaneMask taken = step.taken & step.active;
      if (taken == step.active && !question_.ofWarp) continue;
      return text + fmt::format(" Line {}, `{}`, holds in warp {} for {}.", step.line,
                                machineCodeFor(trace_, step), step.warp,
                                taken == 0             ? "no lane"
                                : taken == step.active ? "all its active lanes"
                                                       : lanesText(taken));
    }
    return text;
  }

  std::string wavefronts() const {
    if (!question_.ofPhase) return wavefronts(step_);
    return fmt::format("On line {}, warp {} runs `{}`. ", step_.line, step_.warp,
                       machineCodeFor(trace_, step_)) +
           wavefronts(step_) +
           fmt::format(" All shared accesses of the phase take {} together.",
                       counted(phase_.counters.sharedWavefronts(), "wavefront"));
  }

  // The rule at the fullest bank; if another rule decides, the wavefronts one by one.
  std::string wavefronts(const Step& step) const {
    const MachineModel& machine = trace_.launch.machine;
    const BankUse use = computeBankUse(trace_, step);
    const bool isWideBank = wordsPerBank(machine) > 1;
    const unsigned bytes = laneAccesses(trace_, step).empty() ? 0U : laneAccesses(trace_, step).front().bytes;
    std::string text = fmt::format("Its {} {} for {} in {}{}. ", counted(step.accesses.count, "lane"),
                                   step.accesses.count == 1 ? "asks" : "ask",
                                   counted(use.wordCount, "different word"), counted(use.bankCount, "bank"),
                                   isWideBank ? fmt::format(" of {} bytes", machine.bankBytes) : "");
    const auto fullest = std::ranges::max_element(use.degree);
    const auto bank = static_cast<std::size_t>(fullest - use.degree.begin());
    const bool isPlain = machine.requestLanes == machine.warpSize && bytes <= machine.bankBytes &&
                         machine.sharedRule != SharedRule::OneBroadcast && *fullest == step.wavefronts &&
                         !isSerialAtomic(step);
    const std::string_view served = isWideBank ? "adjacent words" : "one word";
    if (isPlain && step.wavefronts == 1)
      return text + fmt::format(
                        "No bank is asked for more than {}, and lanes on one word are served together: **1** "
                        "wavefront.",
                        served);
    if (isPlain) {
      return text + fmt::format(
                        "Bank {} is asked for words {}: a bank serves {} per wavefront, so there are **{}** "
                        "wavefronts.",
                        bank, numbersText(use.words[bank]), served, step.wavefronts);
    }
    text += whySerialized(step, use, bytes);
    text += fmt::format("The access takes **{}** {}", step.wavefronts,
                        step.wavefronts == 1 ? "wavefront" : "wavefronts");
    std::string listed;
    for (std::size_t wavefront = 0; wavefront < std::min(use.wavefronts.size(), kMostRows); ++wavefront)
      listed += fmt::format("{}wavefront {} serves {}", wavefront == 0 ? ": " : "; ", wavefront + 1,
                            lanesText(use.wavefronts[wavefront].lanes));
    text += listed + (use.wavefronts.size() > kMostRows ? "; and so on." : ".");
    if (conflicts(step))
      return text + fmt::format(" Without conflicts it would be {}.", step.idealWavefronts);
    return step.wavefronts == 1 ? text : text + " So many bytes need no fewer: that is not a conflict.";
  }

  // Why not all lanes go to the banks together.
  std::string whySerialized(const Step& step, const BankUse& use, unsigned bytes) const {
    const MachineModel& machine = trace_.launch.machine;
    if (isSharedLoop(machine, step))
      return "A GPU does this atomic in a loop of loads and compare-and-swaps, which ends one lane per bank "
             "at "
             "a time. ";
    if (isSerialAtomic(step)) return "Atomics of lanes that share a bank are serialized. ";
    std::string text;
    if (machine.requestLanes < machine.warpSize)
      text = fmt::format("On this machine {} lanes go to the banks together. ", machine.requestLanes);
    if (bytes <= machine.bankBytes || use.groups < 2) return text;
    if (machine.sharedRule == SharedRule::OneBroadcast)
      return text + fmt::format("Accesses of {} bytes are served word by word. ", bytes);
    return text +
           fmt::format("Each moves {} bytes, so {} lanes fill the banks: they are serialized into {}. ",
                       bytes, machine.banks * machine.bankBytes / bytes, counted(use.groups, "group"));
  }

  std::string sectors(const Step& step) const {
    const unsigned bytes = trace_.launch.machine.sectorBytes;
    const std::vector<std::uint32_t> touched = sectorsTouched(trace_, step);
    const auto accesses = laneAccesses(trace_, step);
    const auto [low, high] = std::ranges::minmax_element(accesses, {}, &LaneAccess::address);
    std::string text = fmt::format(
        "`{}`: {} {} bytes {} to {} of the buffer, which lie in {} ({}) of {} bytes",
        machineCodeFor(trace_, step), counted(accesses.size(), "lane"),
        accesses.size() == 1 ? "asks for" : "ask for", low->address, high->address + high->bytes - 1,
        counted(touched.size(), "sector"), numbersText(touched), bytes);
    if (touched.size() == step.sectors) return text + ".";
    if (step.kind == StepKind::GlobalAtomic)
      return text +
             fmt::format("; lanes that update one word are serialized, which makes **{}**.", step.sectors);
    return text + fmt::format(
                      "; this machine moves a whole segment if the lanes are in order, else one transfer "
                      "per lane: **{}**.",
                      step.sectors);
  }

  std::string phaseSectors() const {
    std::string text;
    std::size_t rows = 0;
    for (std::uint32_t index = phase_.firstStep; index < phase_.endStep; ++index) {
      const Step step = trace_.steps[index];
      if (!accessesGlobal(step)) continue;
      if (rows++ == 0)
        text = sectors(step);
      else if (rows <= kMostRows)
        text += fmt::format(" Warp {}, line {}: {}.", step.warp, step.line, step.sectors);
    }
    if (rows > kMostRows) text += fmt::format(" And so on for {}.", counted(rows - kMostRows, "more access"));
    return text + (rows > 1 ? fmt::format(" In all **{}**.", question_.right.number) : "");
  }

  std::string value() const {
    const auto accesses = laneAccesses(trace_, step_);
    const auto writes = [&](const LaneAccess& access) {
      const std::uint32_t words = std::max(1U, access.bytes / 4U);
      return question_.cell >= access.cell && question_.cell < access.cell + words;
    };
    // If several lanes write the cell, the last of them stays.
    const LaneAccess* store = nullptr;
    unsigned writers = 0;
    for (const LaneAccess& access : accesses) {
      if (!writes(access)) continue;
      store = &access;
      ++writers;
    }
    const std::string name = cellName(trace_, question_.cell);
    const std::string result = fmt::format("`{}` holds **{}**", name, question_.right.text);
    if (store == nullptr) return result + ".";
    if (step_.kind == StepKind::SharedAtomic && question_.ofPhase)
      return fmt::format("{} of the phase update it, serialized. So ",
                         counted(countUpdates(question_.cell), "atomic")) +
             result + ".";
    if (writers > 1)
      return fmt::format("{} update it, serialized: ", counted(writers, "lane")) + result + ".";
    const std::uint32_t thread = step_.warp * trace_.launch.machine.warpSize + store->lane;
    const std::string operands = readOperands(*store);
    std::string text = fmt::format("Thread {} writes it on line {}. ", thread, step_.line);
    if (!operands.empty()) text += fmt::format("It read {}. ", operands);
    return text + "So " + result + ".";
  }

  // The values that the storing lane read in this phase, since its last store.
  std::string readOperands(const LaneAccess& store) const {
    std::vector<std::string> read;
    for (std::int32_t at = step_.previousOfWarp; at >= static_cast<std::int32_t>(phase_.firstStep);
         at = trace_.steps[static_cast<std::size_t>(at)].previousOfWarp) {
      const Step step = trace_.steps[static_cast<std::size_t>(at)];
      if (!accessesMemory(step)) continue;
      const auto accesses = laneAccesses(trace_, step);
      const auto own = std::ranges::find(accesses, store.lane, &LaneAccess::lane);
      if (own == accesses.end()) continue;
      if (writesMemory(step)) break;
      std::string text = wordText(own->cell, own->value);
      if (std::ranges::find(read, text) == read.end()) read.push_back(std::move(text));
      if (read.size() == kMostRows) break;
    }
    std::ranges::reverse(read);
    return fmt::format("{}", fmt::join(read, " and "));
  }

  /// How many atomics of the phase, lane by lane, update a cell of shared memory.
  std::uint64_t countUpdates(std::uint32_t cell) const {
    std::uint64_t updates = 0;
    for (std::uint32_t index = phase_.firstStep; index < phase_.endStep; ++index) {
      if (trace_.steps.kindAt(index) != StepKind::SharedAtomic) continue;
      const Step step = trace_.steps[index];
      for (const LaneAccess& access : laneAccesses(trace_, step))
        updates += cell >= access.cell && cell < access.cell + std::max(1U, access.bytes / 4U) ? 1 : 0;
    }
    return updates;
  }

  std::string wordText(std::uint32_t cell, const Word& word) const {
    const TracedArray* array = arrayOfCell(trace_, cell);
    // The first of a double's two words is not a number.
    if (array != nullptr && isWide(array->type))
      return fmt::format("`{}` = {}", cellName(trace_, cell), trace_.provenance.text(word.from, kTerms));
    const std::string number = formatValue(array == nullptr ? ValueType::F32 : array->type, word.bits);
    if (word.from == kNoProvenance) return fmt::format("`{}` = {}", cellName(trace_, cell), number);
    return fmt::format("`{}` = {} = {}", cellName(trace_, cell), trace_.provenance.text(word.from, kTerms),
                       number);
  }

  std::string race() const {
    const Hazard* hazard = races_.at(question_.step);
    if (hazard == nullptr) return "";
    // The message names both accesses.
    std::string text = hazard->message;
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return hazard->fix.empty() ? text : text + " " + hazard->fix;
  }

  // The accesses of other threads to the same words between the same barriers.
  std::string noRace() const {
    if (question_.ofPhase)
      return "Wherever two threads touch one word here and one of them writes it, a barrier orders them, or "
             "both are atomic.";
    const OtherUse others = races_.othersAt(trace_, question_.step);
    if (others == OtherUse::None)
      return "No other thread touches these words between the barriers before and after.";
    if (others == OtherUse::Reads)
      return "Other threads only read these words too until the next barrier, and reads never race.";
    return "Others touch these words before the next barrier, but each of those accesses is ordered against "
           "this one, or both are atomic.";
  }

  std::string divergence(const Step& step) const {
    const LaneMask taken = step.taken & step.active;
    const std::string code = machineCodeFor(trace_, step);
    if (!diverges(step)) {
      return fmt::format("`{}` is {} for all {} of warp {}: they stay together.", code,
                         taken == 0 ? "false" : "true", counted(laneCount(step.active), "active lane"),
                         step.warp);
    }
    return fmt::format(
        "`{}` holds for {} of warp {} and not for its {}: the two sides are "
        "serialized, each with the other lanes masked off.",
        code, lanesText(taken), step.warp, lanesText(step.active & ~taken));
  }

  std::string phaseDivergence() const {
    if (!question_.right.yes)
      return fmt::format("At {} the active lanes of a warp decide alike. On line {}: ",
                         counted(phase_.counters.branches, "branch"), step_.line) +
             divergence(step_);
    std::string text = fmt::format("On line {}: ", step_.line) + divergence(step_);
    const std::uint64_t more = phase_.counters.divergentBranches - 1;
    return more == 0 ? text : text + fmt::format(" So do {} in this phase.", counted(more, "more branch"));
  }

  const Trace& trace_;
  const RacePlaces& races_;
  const Question& question_;
  const Phase& phase_;
  const Step step_;
};

}  // namespace

std::string explainQuestion(const Trace& trace, const RacePlaces& races, const Question& question) {
  return Explainer(trace, races, question).explain();
}

}  // namespace lanescope
