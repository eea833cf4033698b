#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/course/guide_cards.h"

namespace lanescope {

/// The state that the first lesson checks to see if its reader did what a card asks for.
struct GuideSituation {
  Cursor cursor{};
  std::uint32_t wavefronts = 0;  ///< of the step at the cursor
  std::int64_t thread = -1;      ///< pointed at, or kept by a click; -1: none
  bool isIdle = false;           ///< that thread's lane is masked off
  bool isOfOtherWarp = false;    ///< that thread is not of the warp of the step at the cursor
  bool isEdited = false;         ///< the current text is not the strategy's own
  bool hasFaults = false;        ///< and does not compile
  bool ranEdited = false;        ///< the current run is one of an edited text
  std::size_t races = 0;         ///< found in it
  bool chartsAreOpen = false;
  bool operator==(const GuideSituation&) const = default;
};

/// True if an act was done between the card's beginning and now.
bool isDone(CardAct act, const GuideSituation& began, const GuideSituation& now);
/// One sentence on an act that is begun and not done; "" if nothing was tried.
std::string remarkOn(CardAct act, const GuideSituation& began, const GuideSituation& now);

/// The first lesson: the card that is shown, and whether its act was done. Acts are recognized from the
/// situation alone; they are not reported.
class Guide {
 public:
  bool isOpen() const { return index_.has_value(); }
  /// The index of the card that is shown; only if isOpen().
  std::size_t index() const { return *index_; }
  const GuideCard& card() const { return guideCards()[*index_]; }
  bool isLast() const { return *index_ + 1 == guideCards().size(); }

  /// Shows that card; it waits for its run.
  void open(std::size_t index);
  void close() { index_.reset(); }
  /// True if the card's run is current, at the place where the card begins.
  bool isBegun() const { return began_.has_value(); }
  void begin(const GuideSituation& now) { began_ = now; }
  /// Records the reader's actions. True if the act is done in this situation, even repeatedly: the answer
  /// then has to be filled in for it.
  bool syncTo(const GuideSituation& now);
  /// The place where the card began; only if isBegun().
  Cursor place() const { return began_->cursor; }

  bool isAnswered() const { return !answer_.empty(); }
  const std::string& answer() const { return answer_; }
  void answer(std::string text) { answer_ = std::move(text); }
  /// The remark on an act that is not done.
  const std::string& remark() const { return remark_; }

 private:
  std::optional<std::size_t> index_;
  std::optional<GuideSituation> began_;
  std::string answer_;
  std::string remark_;
};

}  // namespace lanescope
