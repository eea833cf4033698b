#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
std::string_view nameFor(QuestionKind kind);

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

}  // namespace lanescope
