#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/analysis/step_facts.h"
#include "sim/base/diagnostic.h"
#include "sim/trace/hazards.h"
#include "sim/trace/replay.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The subject of a prediction.
enum class QuestionKind : std::uint8_t {
  ActiveLanes,  ///< the lanes that run an operation, or the threads that run a phase
  Wavefronts,   ///< the wavefronts of a shared access
  Sectors,      ///< how much a global access moves
  CellValue,    ///< the value that a word of memory will have
  Race,         ///< whether another access is unordered against it
  Divergence,   ///< whether the lanes of a warp part
};
inline constexpr std::size_t kQuestionKinds = 6;
inline constexpr std::size_t kTerms = 5;  ///< of a sum, before its middle is omitted
/// `active lanes`, `wavefronts`, `sectors`, `value`, `race`, `divergence`.
std::string_view questionKindName(QuestionKind kind);

enum class AnswerForm : std::uint8_t { Lanes, Number, Value, YesNo };

/// The right answer; which member counts is Question::form.
struct RightAnswer {
  std::vector<std::uint32_t> lanes;  ///< sorted; lanes of the warp asked about, or threads of the block
  std::uint64_t number = 0;
  double value = 0;
  ProvenanceId from = kNoProvenance;                ///< Value: its provenance
  Provenance::Kind joins = Provenance::Kind::None;  ///< Value: by which operator, last
  std::string symbols;  ///< Value: its provenance, as Provenance::text writes it. Can be empty.
  bool yes = false;

  /// As a user writes it: `0, 2 ... 30`, `4`, `a0+a4 = 12`, `yes`; for a long sum its ends.
  std::string text;
  std::string figure;  ///< Value: the number alone
};

/// A question about the step, or the phase, that is about to happen.
struct Question {
  QuestionKind kind = QuestionKind::ActiveLanes;
  AnswerForm form = AnswerForm::Lanes;
  bool ofPhase = false;
  std::uint32_t firstStep = 0;  ///< the place of the question, as Cursor::steps
  std::uint32_t endStep = 0;    ///< the place of the answer
  std::uint32_t step = 0;       ///< the step it is about; for a phase, the one that decides
  std::uint32_t phase = 0;
  std::uint32_t warp = 0;
  bool ofWarp = false;  ///< Lanes: lanes of `warp`; else threads of the block
  std::uint32_t warpSize = 0;
  std::uint32_t choices = 0;  ///< Lanes: how many there are to choose from
  std::uint32_t cell = 0;     ///< CellValue: as ReplayState::cells
  RightAnswer right;
  std::string place;      ///< the kind and the operation; equal when a loop repeats
  std::string signature;  ///< equal if asking again would teach nothing

  std::string text;         ///< one sentence, with `code` and **bold** in Markdown
  std::string explanation;  ///< why the right answer is right, in Markdown

  /// The thread that a list's number 0 means.
  std::uint32_t firstThread() const { return ofWarp ? warp * warpSize : 0; }
};

/// Says if a value's sum is written out with its question. That takes as long as the sum, too long to do for
/// each of many questions; writeSum() does it for the one that is chosen.
enum class Sums : std::uint8_t { Written, Left };

/// Every possible question about the next event at `cursor` (as Cursor::steps): about the step there or, if
/// `ofPhase`, about the phase that starts there. Right answers and signatures are filled in, texts are not
/// (see completeQuestion). `seed` decides between cells and warps of equal interest. The state shown before
/// must not give the answer away: the question about a branch comes before it is decided, the one about an
/// access before it is made. At phase grain a place within a phase gives none.
std::vector<Question> questionsAt(const Trace& trace, const RacePlaces& races, std::uint32_t cursor,
                                  bool ofPhase, std::uint64_t seed, Sums sums = Sums::Written);
/// Fills in the right answer's symbols and text if they were left out.
void writeSum(const Trace& trace, Question& question);

/// Writes the question and the explanation (question_explanation.cpp).
void completeQuestion(const Trace& trace, const RacePlaces& races, Question& question);
std::string questionText(const Trace& trace, const Question& question);
std::string explainQuestion(const Trace& trace, const RacePlaces& races, const Question& question);

/// A number that depends only on both.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t value);

/// The last step of a phase that wrote a cell; nullopt if none did.
std::optional<std::uint32_t> findLastWrite(const Trace& trace, const Phase& phase, std::uint32_t cell);

/// Sorted numbers as parseNumbers() reads them: `0-7, 16`, `0, 8 ... 56`; `none` for an empty list.
std::string numbersText(std::span<const std::uint32_t> numbers);

/// A list of numbers: `0-7, 16`, `0,2,4`, `0-30 by 2`, `0, 2 ... 30`, `all`, `none`. Sorted, none twice;
/// `all` gives 0 to count - 1. Errors: nothing typed, text that is not a list, a range that goes backwards, a
/// number past 65535.
Result<std::vector<std::uint32_t>> parseNumbers(std::string_view text, std::uint32_t count);

/// How an answer was judged.
struct Verdict {
  bool right = false;
  std::string answer;  ///< tidied
  std::string note;    ///< one sentence on the error; empty if the answer is right
};

/// Judges a typed answer. Lanes are compared as sets, a lane may be named by its thread too; a value is a
/// number (to seven digits) or, if takesSymbols(), a formula such as `a4+a12` in any order. Errors: an answer
/// that cannot be read, one sentence that gives the readable forms.
Result<Verdict> judge(const Question& question, std::string_view answer);

/// The lanes (or threads) that an answer names so far, for a picture; empty if it cannot be read.
std::vector<std::uint32_t> lanesNamed(const Question& question, std::string_view answer);

/// True if an answer may be a formula of the value's parts: false if one of them has no name to be typed.
bool takesSymbols(const Question& question);

/// The operator that a value's question names: a sum if the value joins nothing.
Provenance::Kind findJoiner(const Question& question);

/// A formula as it may be typed, without blanks and with `*` for every times sign: `a4 x a12` gives `a4*a12`.
std::string plainFormula(std::string_view typed);

/// True if two plain formulas over elements, such as `(a0-a1)*a2` and `a2*a0-a1*a2`, have one value for all
/// values of the elements: both are computed for many values. Supported are + - *, min, max, f for an
/// operator without a sign, and numbers. Nullopt if one of them is not such a formula.
std::optional<bool> areSameFormula(std::string_view left, std::string_view right);

}  // namespace lanescope
