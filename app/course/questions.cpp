#include "app/course/questions.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "app/analysis/step_facts.h"
#include "app/workbench/walk.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kMostThreads = 64;  ///< of a block, to be listed together

bool isOneWord(ValueType type) {
  return type == ValueType::F32 || type == ValueType::I32 || type == ValueType::U32;
}

double toNumber(ValueType type, std::uint32_t bits) {
  if (type == ValueType::F32) return static_cast<double>(std::bit_cast<float>(bits));
  return type == ValueType::I32 ? static_cast<double>(static_cast<std::int32_t>(bits))
                                : static_cast<double>(bits);
}

/// Collects the questions about one place.
class Asker {
 public:
  Asker(const Trace& trace, const RacePlaces& races, std::uint32_t cursor, std::uint64_t seed)
      : trace_(trace), races_(races), cursor_(cursor), seed_(mixed(seed, cursor)) {}

  std::vector<Question> askStep() {
    const Step step = trace_.steps[cursor_];
    endStep_ = cursor_ + 1;
    askLanes(step);
    if (step.kind == StepKind::Branch && std::popcount(step.active) > 1)
      addYesNo(QuestionKind::Divergence, cursor_, diverges(step));
    const bool isOfMany = step.accesses.count > 1;
    if (accessesShared(step) && isOfMany) addNumber(QuestionKind::Wavefronts, cursor_, step.wavefronts);
    if (accessesGlobal(step) && isOfMany) addNumber(QuestionKind::Sectors, cursor_, step.sectors);
    askValue(step);
    if (accessesMemory(step)) {
      if (races_.at(cursor_) != nullptr)
        addYesNo(QuestionKind::Race, cursor_, true);
      else if (races_.excludes(trace_, cursor_))
        addYesNo(QuestionKind::Race, cursor_, false);
    }
    return std::move(questions_);
  }

  std::vector<Question> askPhase() {
    ofPhase_ = true;
    const Phase& phase = trace_.phases[trace_.steps[cursor_].phase];
    if (phase.firstStep != cursor_) return {};
    endStep_ = phase.endStep;
    askPhaseThreads(phase);
    askPhaseAccesses(phase);
    askPhaseValue(phase);
    askPhaseRace(phase);
    for (Question& question : questions_) question.phase = trace_.steps[cursor_].phase;
    return std::move(questions_);
  }

 private:
  Question& add(QuestionKind kind, AnswerForm form, std::uint32_t step) {
    Question& question = questions_.emplace_back();
    question.kind = kind;
    question.form = form;
    question.ofPhase = ofPhase_;
    question.firstStep = cursor_;
    question.endStep = endStep_;
    question.step = step;
    question.phase = trace_.steps[step].phase;
    question.warp = trace_.steps[step].warp;
    question.warpSize = trace_.launch.machine.warpSize;
    const SourceSpan span = trace_.steps[step].span;
    question.place = ofPhase_ ? fmt::format("{}/phase", questionKindName(kind))
                              : fmt::format("{}/{}-{}", questionKindName(kind), span.begin, span.end);
    return question;
  }

  // A branch gives a question about the lanes that it lets through; another operation, if the active lanes
  // changed before it.
  void askLanes(const Step& step) {
    if (std::popcount(step.active) < 2 && trace_.lanesOfWarp(step.warp) < 2) return;
    if (step.kind == StepKind::Branch) {
      if (std::popcount(step.active) > 1)
        addLanes(cursor_, listLanes(step.taken & step.active), step.warp, true);
      return;
    }
    if (step.kind == StepKind::Exit || step.kind == StepKind::BlockBarrier || step.previousOfWarp < 0) return;
    if (step.active != activeBefore(trace_, step)) addLanes(cursor_, listLanes(step.active), step.warp, true);
  }

  void askValue(const Step& step) {
    if (!writesMemory(step) || step.cellChanges.count == 0) return;
    const std::span<const CellChange> changes = stepChanges(trace_, step);
    const std::uint32_t cell = changes[mixed(seed_, 1) % changes.size()].cell;
    // Lanes may write one cell in turn: the last stays.
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
      if (change->cell == cell) return addValue(cursor_, cell, change->after);
    }
  }

  // All threads of a small block; for a large one those of a warp, preferably one that is partly active.
  void askPhaseThreads(const Phase& phase) {
    if (phase.activeThreads.empty() || trace_.threads < 2) return;
    if (trace_.threads <= kMostThreads) return addLanes(cursor_, phase.activeThreads, 0, false);
    const std::uint32_t size = trace_.launch.machine.warpSize;
    std::vector<std::vector<std::uint32_t>> byWarp(trace_.warps);
    for (const std::uint32_t thread : phase.activeThreads) byWarp[thread / size].push_back(thread % size);
    std::vector<std::uint32_t> partly;
    for (std::uint32_t warp = 0; warp < trace_.warps; ++warp) {
      if (!byWarp[warp].empty() && byWarp[warp].size() < trace_.lanesOfWarp(warp)) partly.push_back(warp);
    }
    const std::uint64_t pick = mixed(seed_, 2);
    const std::uint32_t warp =
        partly.empty() ? static_cast<std::uint32_t>(pick % trace_.warps) : partly[pick % partly.size()];
    addLanes(cursor_, byWarp[warp], warp, true);
  }

  void askPhaseAccesses(const Phase& phase) {
    std::optional<std::uint32_t> costliest;
    std::optional<std::uint32_t> branch;
    std::optional<std::uint32_t> global;
    std::uint64_t sectors = 0;
    bool diverging = false;
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = trace_.steps[index];
      if (accessesShared(step) && (!costliest || step.wavefronts > trace_.steps[*costliest].wavefronts))
        costliest = index;
      if (accessesGlobal(step)) {
        sectors += step.sectors;
        if (!global) global = index;
      }
      if (step.kind == StepKind::Branch && (!branch || (diverges(step) && !diverging))) branch = index;
      diverging = diverging || diverges(step);
    }
    if (costliest) addNumber(QuestionKind::Wavefronts, *costliest, trace_.steps[*costliest].wavefronts);
    if (global) addNumber(QuestionKind::Sectors, *global, sectors);
    if (branch) addYesNo(QuestionKind::Divergence, *branch, diverging);
  }

  void askPhaseValue(const Phase& phase) {
    if (phase.cellsWritten.empty()) return;
    const std::uint32_t cell = phase.cellsWritten[mixed(seed_, 3) % phase.cellsWritten.size()];
    const std::optional<std::uint32_t> step = findLastWrite(trace_, phase, cell);
    if (step) addValue(*step, cell, phase.sharedAfter[cell]);
  }

  void askPhaseRace(const Phase& phase) {
    std::optional<std::uint32_t> first;
    bool isExcluded = true;
    for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
      const Step step = trace_.steps[index];
      if (!accessesMemory(step)) continue;
      if (races_.at(index) != nullptr) return addYesNo(QuestionKind::Race, index, true);
      if (!first) first = index;
      isExcluded = isExcluded && races_.excludes(trace_, index);
    }
    if (first && isExcluded) addYesNo(QuestionKind::Race, *first, false);
  }

  void addLanes(std::uint32_t step, std::vector<std::uint32_t> lanes, std::uint32_t warp, bool ofWarp) {
    Question& question = add(QuestionKind::ActiveLanes, AnswerForm::Lanes, step);
    question.warp = warp;
    question.ofWarp = ofWarp;
    question.choices = ofWarp ? trace_.lanesOfWarp(warp) : trace_.threads;
    question.right.lanes = std::move(lanes);
    question.right.text = numbersText(question.right.lanes);
    question.signature = question.place + "/" + question.right.text;
  }

  void addYesNo(QuestionKind kind, std::uint32_t step, bool yes) {
    Question& question = add(kind, AnswerForm::YesNo, step);
    question.right.yes = yes;
    question.right.text = yes ? "yes" : "no";
    question.signature = question.place + "/" + question.right.text;
  }

  void addNumber(QuestionKind kind, std::uint32_t step, std::uint64_t number) {
    Question& question = add(kind, AnswerForm::Number, step);
    question.right.number = number;
    question.right.text = std::to_string(number);
    question.signature = question.place + "/" + question.right.text;
  }

  void addValue(std::uint32_t step, std::uint32_t cell, const Word& after) {
    const TracedArray* array = arrayOfCell(trace_, cell);
    if (array == nullptr || !isOneWord(array->type)) return;
    const double value = toNumber(array->type, after.bits);
    if (!std::isfinite(value)) return;
    Question& question = add(QuestionKind::CellValue, AnswerForm::Value, step);
    question.cell = cell;
    question.right.value = value;
    question.right.from = after.from;
    question.right.joins = trace_.provenance.joins(after.from);
    question.right.figure = formatValue(array->type, after.bits);
    question.signature = question.place + fmt::format("/phase {}", question.phase);
  }

  const Trace& trace_;
  const RacePlaces& races_;
  std::uint32_t cursor_;
  std::uint64_t seed_;
  bool ofPhase_ = false;
  std::uint32_t endStep_ = 0;
  std::vector<Question> questions_;
};

}  // namespace

std::vector<Question> questionsAt(const Trace& trace, const RacePlaces& races, std::uint32_t cursor,
                                  bool ofPhase, std::uint64_t seed, Sums sums) {
  if (cursor >= trace.steps.size() || trace.phases.empty()) return {};
  Asker asker(trace, races, cursor, seed);
  std::vector<Question> questions = ofPhase ? asker.askPhase() : asker.askStep();
  if (sums == Sums::Written) {
    for (Question& question : questions) writeSum(trace, question);
  }
  return questions;
}

void writeSum(const Trace& trace, Question& question) {
  RightAnswer& right = question.right;
  if (question.form != AnswerForm::Value || !right.text.empty()) return;
  right.symbols = trace.provenance.text(right.from);
  right.text = right.from == kNoProvenance ? right.figure
                                           : trace.provenance.text(right.from, kTerms) + " = " + right.figure;
}

void completeQuestion(const Trace& trace, const RacePlaces& races, Question& question) {
  question.text = questionText(trace, question);
  question.explanation = explainQuestion(trace, races, question);
}

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
  // splitmix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
  std::uint64_t z = seed + 0x9e3779b97f4a7c15U * (value + 1);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

std::optional<std::uint32_t> findLastWrite(const Trace& trace, const Phase& phase, std::uint32_t cell) {
  for (std::uint32_t index = phase.endStep; index-- > phase.firstStep;) {
    const Step step = trace.steps[index];
    const std::span<const CellChange> changes = stepChanges(trace, step);
    if (std::ranges::any_of(changes, [cell](const CellChange& c) { return c.cell == cell; })) return index;
  }
  return std::nullopt;
}

// Questions in words.

namespace {

std::string_view findVerb(const Step& step) {
  switch (step.kind) {
    case StepKind::SharedLoad:
    case StepKind::GlobalLoad:
    case StepKind::ConstantLoad: return "reads";
    case StepKind::SharedStore:
    case StepKind::GlobalStore: return "writes";
    default: return "updates";
  }
}

/// True if an operation's text is a name or a number alone, as a function's argument can be.
bool isNameOrNumber(std::string_view code) {
  return std::ranges::all_of(code, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

std::string textOfPhase(const Trace& trace, const Question& question) {
  const std::string phase = "the next phase, **" + trace.phases[question.phase].label + "**";
  switch (question.kind) {
    case QuestionKind::ActiveLanes:
      if (question.ofWarp) {
        return fmt::format("Which lanes of **warp {}** load, store or shuffle in {}?", question.warp, phase);
      }
      return fmt::format("Which threads load, store or shuffle in {}?", phase);
    case QuestionKind::Wavefronts:
      return fmt::format("In {}: how many wavefronts does the costliest shared access of a warp take?",
                         phase);
    case QuestionKind::Sectors:
      return fmt::format("In {}: how many {}-byte sectors of global memory are moved in all?", phase,
                         trace.launch.machine.sectorBytes);
    case QuestionKind::CellValue:
      return fmt::format("What will `{}` hold after {}?", cellName(trace, question.cell), phase);
    case QuestionKind::Race: return fmt::format("In {}: does any access race with another?", phase);
    case QuestionKind::Divergence: return fmt::format("In {}: does any warp diverge at a branch?", phase);
  }
  return "";
}

std::string textOfStep(const Trace& trace, const Question& question) {
  const Step step = trace.steps[question.step];
  const std::string code = machineCodeFor(trace, step);
  const std::string doing = fmt::format("**warp {}** {} `{}`", step.warp, findVerb(step), code);
  switch (question.kind) {
    case QuestionKind::ActiveLanes:
      if (step.kind == StepKind::Branch) {
        return fmt::format("For which lanes of **warp {}** does `{}` hold?", step.warp, code);
      }
      if (isNameOrNumber(code))
        return fmt::format("Which lanes of **warp {}** run line {}, `{}`?", step.warp, step.line,
                           findLine(trace, step));
      return fmt::format("Which lanes of **warp {}** run `{}`?", step.warp, code);
    case QuestionKind::Wavefronts: return fmt::format("How many wavefronts does it take when {}?", doing);
    case QuestionKind::Sectors:
      return fmt::format("How many {}-byte sectors does it take when {}?", trace.launch.machine.sectorBytes,
                         doing);
    case QuestionKind::CellValue:
      return fmt::format("What will `{}` hold after {}?", cellName(trace, question.cell), doing);
    case QuestionKind::Race: return fmt::format("Now {}. Does that race with another access?", doing);
    case QuestionKind::Divergence: return fmt::format("Does **warp {}** diverge at `{}`?", step.warp, code);
  }
  return "";
}

}  // namespace

std::string questionText(const Trace& trace, const Question& question) {
  return question.ofPhase ? textOfPhase(trace, question) : textOfStep(trace, question);
}

}  // namespace lanescope
