#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/course/question.h"
#include "app/analysis/word_users.h"
#include "sim/trace/hazards.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// The verdict of a run's hazards on the steps of its trace. The report has each pair of source lines by its
/// first example only, so for some steps it gives neither yes nor no.
class RacePlaces {
 public:
  RacePlaces() = default;
  explicit RacePlaces(const HazardReport& report);

  /// The race that step takes part in, or nullptr.
  const Hazard* at(std::uint32_t step) const;
  /// True if the step surely does not race. If the report names races, it may have left out others of the
  /// same words: then a step is sure only if no other thread writes its words, and if it writes itself, only
  /// if no other thread uses them at all.
  bool excludes(const Trace& trace, std::uint32_t step) const;
  /// How others use the words of a step until the next barrier.
  OtherUse othersAt(const Trace& trace, std::uint32_t step) const { return users_.of(trace, step); }
  const std::vector<Hazard>& races() const { return races_; }

 private:
  std::vector<Hazard> races_;
  std::map<std::uint32_t, std::size_t> atStep_;  ///< step to index in races_
  mutable WordUsers users_;                      ///< caches its last search
  bool isComplete_ = false;
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

/// Writes the question and the explanation (question_text.cpp, question_explanation.cpp).
void completeQuestion(const Trace& trace, const RacePlaces& races, Question& question);
std::string questionText(const Trace& trace, const Question& question);
std::string explainQuestion(const Trace& trace, const RacePlaces& races, const Question& question);

/// A number that depends only on both.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t value);

/// The last step of a phase that wrote a cell; nullopt if none did.
std::optional<std::uint32_t> findLastWrite(const Trace& trace, const Phase& phase, std::uint32_t cell);

}  // namespace lanescope
