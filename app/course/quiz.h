#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/base/host.h"
#include "app/course/questions.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// Which run is asked about, as the results name it. Equal: the same run of the same text.
struct QuizRun {
  std::string strategy;  ///< a strategy's id, or a file's name
  std::uint64_t n = 0;   ///< 0: a file's kernel
  std::string machine;
  std::uint64_t blocks = 1;
  std::uint32_t block = 0;
  std::uint64_t edition = 0;  ///< another number, another text or launch form
  bool operator==(const QuizRun&) const = default;
  bool operator<(const QuizRun& other) const {
    const auto all = [](const QuizRun& run) {
      return std::tie(run.strategy, run.n, run.machine, run.blocks, run.block, run.edition);
    };
    return all(*this) < all(other);
  }
};

enum class QuizOutcome : std::uint8_t { Right, Wrong, Skipped };
/// `yes`, `no`, `skipped`: was it correct?
std::string_view quizOutcomeName(QuizOutcome outcome);

/// One question of a round and its outcome.
struct QuizRecord {
  QuizRun run{};
  Question question{};
  std::string phase{};   ///< its label
  std::string answer{};  ///< empty if it was skipped
  QuizOutcome outcome = QuizOutcome::Skipped;
  std::string note{};  ///< one sentence on the error in a wrong answer
};

/// Questions with each outcome.
struct QuizScore {
  std::uint32_t right = 0;
  std::uint32_t wrong = 0;
  std::uint32_t skipped = 0;
  std::uint32_t answered() const { return right + wrong; }
  bool operator==(const QuizScore&) const = default;
};

/// The state of the quiz at the cursor.
enum class QuizState : std::uint8_t {
  NoRun,
  Asked,     ///< question() waits for an answer
  Answered,  ///< question() has been answered, or was skipped: outcome() says how
  Silent,    ///< the next step is worth no question
  Seen,      ///< the next step was seen before, without a question
  InPhase,   ///< at phase grain: within a phase
  InAccess,  ///< at wavefront grain: between the wavefronts of an access
  End,
};

/// Asks about a run step by step. It follows a cursor: the current question is about the step (at phase grain
/// the phase) that comes next. The choice depends on the run, the way taken through it and the seed alone:
/// among the questions that teach something new there, one of the kind asked least. The easy kinds come
/// first: values and active lanes, then divergence, then memory, then races; a kind waits until one of each
/// earlier level was asked, unless the rest of the run has none. A question is put and counted once; one that
/// the cursor passes unanswered is skipped, and so are those that a jump forward leaves out. Results of
/// several runs add up until a new round.
class Quiz {
 public:
  explicit Quiz(std::uint64_t seed = 1) : seed_(seed) {}
  Quiz(Quiz&&) = default;
  Quiz& operator=(Quiz&&) = default;

  /// Records the cursor's place. `generation` tells traces apart; `races` are those of its trace. Call it
  /// after every move.
  void syncTo(const Replay& replay, std::uint64_t generation, Grain grain, const QuizRun& run,
              const std::shared_ptr<const RacePlaces>& races);
  /// Excludes everything from here to the next syncTo() from questions, and does not count it as skipped.
  void pause() { paused_ = true; }

  QuizState state() const { return state_; }
  /// The current question, or nullptr.
  const Question* question() const;
  /// The record of the current question's answer; nullptr while it is open.
  const QuizRecord* outcome() const;
  /// True if the run was seen to its end: it has no step left to ask about in this round.
  bool hasSeenAll(const Trace& trace) const { return at_ != nullptr && at_->seen >= trace.steps.size(); }
  /// How many questions were left out on the way here from the last place with a question.
  std::uint32_t passedOver() const { return passedOver_; }

  /// Judges an answer to the open question and keeps the result. An answer that cannot be read is an error of
  /// one sentence, and is not kept.
  std::optional<Error> answer(std::string_view typed);
  /// Gives the open question up; its answer can then be seen.
  void giveUp();

  /// Every question of this round that is done with, in order.
  const std::vector<QuizRecord>& records() const { return records_; }
  QuizScore score() const;
  QuizScore score(QuestionKind kind) const;
  /// Forgets all results and asks again, with other questions if there is a choice. The next syncTo() starts
  /// it.
  void newRound();

 private:
  using AskedAt = std::pair<bool, std::uint32_t>;  ///< true: of a phase; and its place
  static constexpr std::size_t kGates = 3;         ///< levels that another one waits for

  /// The questions asked about one run.
  struct Progress {
    std::uint32_t seen = 0;                                   ///< steps that were shown, at most
    std::map<AskedAt, std::size_t> recordAt;                  ///< to index in records_
    std::set<std::string> signatures;                         ///< of those asked
    std::map<std::string, std::uint32_t> places;              ///< how often each operation was asked about
    std::array<std::optional<std::uint32_t>, kGates> last{};  ///< by level: the last step that it asks about
  };

  void enter(const Replay& replay, std::uint64_t generation, const QuizRun& run,
             const std::shared_ptr<const RacePlaces>& races);
  void moveOn(const Replay& replay);
  std::optional<Question> choose(const Trace& trace, std::uint32_t cursor, bool ofPhase) const;
  bool waits(const Trace& trace, std::uint32_t cursor, bool ofPhase, std::size_t level) const;
  void record(const Trace* trace, Question question, std::string answer, QuizOutcome outcome,
              std::string note);
  void moveTo(const Replay& replay, Grain grain);

  std::uint64_t seed_;
  std::uint64_t generation_ = UINT64_MAX;
  QuizRun run_;
  std::shared_ptr<const RacePlaces> races_;  ///< of run_; there once something was followed
  std::map<QuizRun, Progress> progress_;
  Progress* at_ = nullptr;  ///< of run_
  std::vector<QuizRecord> records_;
  std::array<std::uint32_t, kQuestionKinds> asked_{};  ///< by kind

  QuizState state_ = QuizState::NoRun;
  std::optional<Question> open_;
  std::string openPhase_;                ///< its label
  std::optional<std::size_t> answered_;  ///< index in records_
  Cursor cursor_;
  bool ofPhase_ = false;  ///< the grain that was followed last is that of phases
  std::uint32_t passedOver_ = 0;
  bool paused_ = false;
};

/// A round's results as a table (RFC 4180): number, strategy, n, machine, phase, instruction, kind, question,
/// answer given, right answer, correct (yes, no or skipped). `instruction` counts from 1; n is empty for a
/// file's kernel.
std::string quizCsv(const std::vector<QuizRecord>& records);

/// The outcome of saving in one sentence for the user.
struct QuizSaving {
  bool saved = false;
  bool isPresent = false;  ///< not saved, because there is such a file already
  std::string sentence;
};
/// Writes the results as CSV; `path` gets the ending .csv if it has none, `~/` is the home folder. An
/// existing file is only replaced if `replace`.
QuizSaving saveQuiz(const std::vector<QuizRecord>& records, Host& host, const std::string& path,
                    bool replace);

}  // namespace lanescope
