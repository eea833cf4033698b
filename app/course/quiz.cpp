#include "app/course/quiz.h"

#include <algorithm>
#include <bit>
#include <filesystem>

#include <fmt/format.h>

#include "app/base/system.h"
#include "sim/base/counted.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

/// Questions of one kind about one operation, of a run.
constexpr std::uint32_t kMostOfOneOperation = 6;

/// How hard a kind is.
constexpr std::size_t findLevel(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::CellValue:
    case QuestionKind::ActiveLanes: return 0;
    case QuestionKind::Divergence: return 1;
    case QuestionKind::Wavefronts:
    case QuestionKind::Sectors: return 2;
    case QuestionKind::Race: break;
  }
  return 3;
}

/// True if a step has a question of that level.
bool hasLevel(const Step& step, std::size_t level) {
  const bool isOfMany = std::popcount(step.active) > 1;
  if (level == 0) return isWrite(step.kind) && step.cellChanges.count > 0;
  if (level == 1) return step.kind == StepKind::Branch && isOfMany;
  return (isShared(step.kind) || isGlobal(step.kind)) && step.accesses.count > 1;
}

/// The last step with a question of the level.
std::optional<std::uint32_t> findLast(const Trace& trace, std::size_t level) {
  for (auto index = static_cast<std::uint32_t>(trace.steps.size()); index-- > 0;) {
    if (hasLevel(trace.steps[index], level)) return index;
  }
  return std::nullopt;
}

}  // namespace

std::string_view quizOutcomeName(QuizOutcome outcome) {
  switch (outcome) {
    case QuizOutcome::Right: return "yes";
    case QuizOutcome::Wrong: return "no";
    case QuizOutcome::Skipped: break;
  }
  return "skipped";
}

const Question* Quiz::question() const {
  if (open_) return &*open_;
  return answered_ ? &records_[*answered_].question : nullptr;
}

const QuizRecord* Quiz::outcome() const { return answered_ ? &records_[*answered_] : nullptr; }

void Quiz::enter(const Replay& replay, std::uint64_t generation, const QuizRun& run,
                 const std::shared_ptr<const RacePlaces>& races) {
  generation_ = generation;
  run_ = run;
  races_ = races == nullptr ? std::make_shared<RacePlaces>() : races;
  const auto [entry, isNew] = progress_.try_emplace(run);
  at_ = &entry->second;
  for (std::size_t level = 0; isNew && level < kGates; ++level)
    at_->last[level] = findLast(replay.trace(), level);
  at_->seen = std::max(at_->seen, replay.cursor().steps);
}

// Closes the questions that the cursor has passed since the last syncTo(): the open one and those that a jump
// left out.
void Quiz::moveOn(const Replay& replay) {
  const std::uint32_t now = replay.cursor().steps;
  const Trace& trace = replay.trace();
  if (open_ && now > open_->firstStep) {
    record(&trace, std::move(*open_), "", QuizOutcome::Skipped, "");
    ++passedOver_;
  }
  open_.reset();
  for (std::uint32_t step = at_->seen; step < now && !paused_; ++step) {
    if (at_->recordAt.contains({ofPhase_, step})) continue;
    // A phase that the cursor is still in was not passed.
    if (ofPhase_ && trace.phases[trace.steps[step].phase].endStep > now) break;
    if (std::optional<Question> missed = choose(trace, step, ofPhase_)) {
      record(&trace, std::move(*missed), "", QuizOutcome::Skipped, "");
      ++passedOver_;
    }
  }
  at_->seen = std::max(at_->seen, now);
}

void Quiz::syncTo(const Replay& replay, std::uint64_t generation, Grain grain, const QuizRun& run,
                  const std::shared_ptr<const RacePlaces>& races) {
  const bool isOther = generation != generation_ || at_ == nullptr || !(run == run_);
  const bool ofPhase = grain == Grain::Phase;
  const bool isStill = replay.cursor() == cursor_ && ofPhase == ofPhase_;
  if (!isOther && isStill && !paused_) {
    if (grain == Grain::Wavefront || state_ != QuizState::InAccess) return;
  }
  // Skipped questions are counted until one is asked.
  if (isOther || state_ != QuizState::Silent) passedOver_ = 0;
  if (isOther) {
    // The open question of another run was put, and is left.
    if (open_) record(nullptr, std::move(*open_), "", QuizOutcome::Skipped, "");
    open_.reset();
    enter(replay, generation, run, races);
  } else {
    moveOn(replay);
  }
  paused_ = false;
  cursor_ = replay.cursor();
  ofPhase_ = ofPhase;
  moveTo(replay, grain);
}

void Quiz::moveTo(const Replay& replay, Grain grain) {
  open_.reset();
  answered_.reset();
  const Trace& trace = replay.trace();
  const std::uint32_t now = cursor_.steps;
  const std::optional<Step> done = replay.currentStep();
  if (now >= trace.steps.size() && replay.atEnd()) {
    state_ = QuizState::End;
    return;
  }
  if (grain == Grain::Wavefront && done && cursor_.wavefront < done->wavefronts) {
    state_ = QuizState::InAccess;
    return;
  }
  if (now >= trace.steps.size()) {
    state_ = QuizState::End;
    return;
  }
  if (ofPhase_ && trace.phases[trace.steps[now].phase].firstStep != now) {
    state_ = QuizState::InPhase;
    return;
  }
  const auto found = at_->recordAt.find({ofPhase_, now});
  if (found != at_->recordAt.end()) {
    answered_ = found->second;
    // A question that a jump left out is explained only when it is shown.
    Question& answered = records_[*answered_].question;
    if (answered.explanation.empty()) answered.explanation = explainQuestion(trace, *races_, answered);
    state_ = QuizState::Answered;
    return;
  }
  if (now < at_->seen) {
    state_ = QuizState::Seen;
    return;
  }
  open_ = choose(trace, now, ofPhase_);
  state_ = open_ ? QuizState::Asked : QuizState::Silent;
  if (!open_) return;
  writeSum(trace, *open_);
  completeQuestion(trace, *races_, *open_);
  openPhase_ = trace.phases[open_->phase].label;
}

// True if an easier question has to come first, and the rest of the run has one.
bool Quiz::waits(const Trace& trace, std::uint32_t cursor, bool ofPhase, std::size_t level) const {
  std::array<bool, kGates> wasAsked{};
  for (std::size_t kind = 0; kind < kQuestionKinds; ++kind) {
    const std::size_t of = findLevel(static_cast<QuestionKind>(kind));
    if (of < kGates && asked_[kind] > 0) wasAsked[of] = true;
  }
  for (std::size_t easier = 0; easier < std::min(level, kGates); ++easier) {
    const std::optional<std::uint32_t>& last = at_->last[easier];
    if (wasAsked[easier] || !last) continue;
    const std::uint32_t place = ofPhase ? trace.phases[trace.steps[*last].phase].firstStep : *last;
    if (place >= cursor) return true;
  }
  return false;
}

// A question of the kind asked least; among these, one of the easiest, chosen by the seed.
std::optional<Question> Quiz::choose(const Trace& trace, std::uint32_t cursor, bool ofPhase) const {
  std::vector<Question> questions = questionsAt(trace, *races_, cursor, ofPhase, seed_, Sums::Left);
  std::erase_if(questions, [&](const Question& question) {
    const auto often = at_->places.find(question.place);
    const bool isWorn =
        !question.ofPhase && often != at_->places.end() && often->second >= kMostOfOneOperation;
    return isWorn || at_->signatures.contains(question.signature) ||
           waits(trace, cursor, ofPhase, findLevel(question.kind));
  });
  if (questions.empty()) return std::nullopt;
  const auto rank = [&](const Question& question) {
    const auto kind = static_cast<std::size_t>(question.kind);
    return std::tuple(asked_[kind], findLevel(question.kind), mixed(mixed(seed_, cursor), kind));
  };
  return std::move(*std::ranges::min_element(questions, {}, rank));
}

void Quiz::record(const Trace* trace, Question question, std::string answer, QuizOutcome outcome,
                  std::string note) {
  if (question.text.empty() && trace != nullptr) {
    writeSum(*trace, question);
    question.text = questionText(*trace, question);
  }
  ++asked_[static_cast<std::size_t>(question.kind)];
  at_->signatures.insert(question.signature);
  ++at_->places[question.place];
  at_->recordAt.emplace(AskedAt{question.ofPhase, question.firstStep}, records_.size());
  std::string phase = trace == nullptr ? openPhase_ : trace->phases[question.phase].label;
  records_.push_back(
      {run_, std::move(question), std::move(phase), std::move(answer), outcome, std::move(note)});
}

std::optional<Error> Quiz::answer(std::string_view typed) {
  if (!open_) return Error{"No question is open.", ""};
  Result<Verdict> verdict = judge(*open_, typed);
  if (!verdict) return verdict.error();
  answered_ = records_.size();
  state_ = QuizState::Answered;
  record(nullptr, std::move(*open_), std::move(verdict->answer),
         verdict->right ? QuizOutcome::Right : QuizOutcome::Wrong, std::move(verdict->note));
  open_.reset();
  return std::nullopt;
}

void Quiz::giveUp() {
  if (!open_) return;
  answered_ = records_.size();
  state_ = QuizState::Answered;
  record(nullptr, std::move(*open_), "", QuizOutcome::Skipped, "");
  open_.reset();
}

QuizScore Quiz::score() const {
  QuizScore total;
  for (std::size_t kind = 0; kind < kQuestionKinds; ++kind) {
    const QuizScore part = score(static_cast<QuestionKind>(kind));
    total.right += part.right;
    total.wrong += part.wrong;
    total.skipped += part.skipped;
  }
  return total;
}

QuizScore Quiz::score(QuestionKind kind) const {
  QuizScore score;
  for (const QuizRecord& record : records_) {
    if (record.question.kind != kind) continue;
    if (record.outcome == QuizOutcome::Right) ++score.right;
    if (record.outcome == QuizOutcome::Wrong) ++score.wrong;
    if (record.outcome == QuizOutcome::Skipped) ++score.skipped;
  }
  return score;
}

void Quiz::newRound() {
  const std::uint64_t next = mixed(seed_, 7);
  *this = Quiz(next);
}

namespace {

/// Without the marks for code and bold text; a `*` within code stays.
std::string plain(std::string_view markdown) {
  std::string text;
  bool isCode = false;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '`') {
      isCode = !isCode;
    } else if (!isCode && markdown.substr(i, 2) == "**") {
      ++i;
    } else {
      text += markdown[i];
    }
  }
  return text;
}

/// The right answer in full: a file has room for a long sum.
std::string rightAnswer(const Question& question) {
  const RightAnswer& right = question.right;
  const bool isSum = question.form == AnswerForm::Value && !right.symbols.empty();
  return isSum ? right.symbols + " = " + right.figure : right.text;
}

}  // namespace

std::string quizCsv(const std::vector<QuizRecord>& records) {
  std::string text =
      "number,strategy,n,machine,phase,instruction,kind,question,answer given,right answer,correct\n";
  std::size_t number = 0;
  for (const QuizRecord& record : records) {
    const Question& question = record.question;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", ++number, csvField(record.run.strategy),
                        record.run.n == 0 ? "" : std::to_string(record.run.n), csvField(record.run.machine),
                        csvField(record.phase), question.firstStep + 1, questionKindName(question.kind),
                        csvField(plain(question.text)), csvField(record.answer),
                        csvField(rightAnswer(question)), quizOutcomeName(record.outcome));
  }
  return text;
}

QuizSaving saveQuiz(const std::vector<QuizRecord>& records, Host& host, const std::string& path,
                    bool replace) {
  if (records.empty()) return {false, false, "No results to save yet: answer a question first."};
  std::filesystem::path file(host.withHome(path));
  if (file.filename().empty()) return {false, false, "Type the file's name after the folder's."};
  if (file.extension().empty()) file += ".csv";
  if (!replace && host.kindOf(file) != Host::FileKind::None)
    return {false, true,
            fmt::format("{} is there already: replace it, or type another name.", file.string())};
  if (const std::optional<Error> problem = host.write(file, quizCsv(records)))
    return {false, false, problem->sentence()};
  return {true, false, fmt::format("Saved {} to {}.", counted(records.size(), "question"), file.string())};
}

}  // namespace lanescope
