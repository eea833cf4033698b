#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/workbench/session.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// The act that a card asks of its reader.
enum class CardAct : std::uint8_t {
  Step,        ///< kStepsAsked steps
  Lane,        ///< point at a lane
  IdleLane,    ///< point at a lane that is masked off
  Wavefronts,  ///< step through every wavefront of the access that comes next
  Race,        ///< edit the text so that it races, and run it
  Charts,      ///< open the GPU panel
};
inline constexpr std::uint32_t kStepsAsked = 3;

/// The place in the run where a card begins.
enum class CardStart : std::uint8_t {
  Start,
  Loaded,      ///< at the end of the first phase
  Divergence,  ///< after the first step that only a part of a diverged warp runs
  Conflict,    ///< before the first load with a bank conflict
};

/// The picture that a card asks its reader to look at.
enum class CardSubject : std::uint8_t { Source, Warps, Banks, Gpu };

/// A card of the first lesson. The texts are Markdown; {NAME} is one of GuideFacts or, {key:ID}, the key of a
/// command.
struct GuideCard {
  std::string_view id;  ///< in the settings
  std::string_view title;
  std::string_view text;       ///< the explanation
  std::string_view task;       ///< the task
  std::string_view answer;     ///< to the finished task
  std::string_view without{};  ///< the answer if a fact is missing; empty: none can be missing
  CardAct act;
  std::string_view strategy;
  std::uint64_t n;
  std::string_view machine;
  CardStart start;
  Grain grain;
  CardSubject subject;
};

/// All of them, in order.
std::span<const GuideCard> guideCards();
/// The number of the card of that id; nullopt if there is none.
std::optional<std::size_t> findGuideCard(std::string_view id);

/// The state that the first lesson checks to see if its reader did what a card asks for.
struct GuideSituation {
  Cursor cursor{};
  std::size_t rounds = 0;        ///< of the trace that have begun
  std::uint32_t wavefronts = 0;  ///< of the step at the cursor
  std::int64_t thread = -1;      ///< pointed at, or kept by a click; -1: none
  bool isIdle = false;           ///< that thread's lane is masked off
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

/// The facts of the current run in a card's texts, by their placeholders' names.
using GuideFacts = std::map<std::string, std::string, std::less<>>;

/// `thread`: as GuideSituation.
GuideSituation readSituation(const Session& session, std::int64_t thread, bool chartsAreOpen);
/// `n`, `rounds` (steps by line), and if they exist: `thread`, `lane`, `warp`; `active` of `lanes` in the
/// step at the cursor; its `wavefronts`, `ideal` ones, and `wordA` and `wordB` of one `bank`; `hazard`, a
/// sentence on the first race.
GuideFacts collectFacts(const Session& session, std::int64_t thread);

/// True if the current run is the card's: its strategy's own text, over its n, on its machine.
bool isOfCard(const Session& session, const GuideCard& card);
/// The place where a card begins in a run, as Cursor::steps; 0 if the run has no such place.
std::uint32_t findStart(CardStart start, const Trace& trace);

/// A text with each {NAME} replaced by `findValue`; nullopt if one has no value.
std::optional<std::string> filled(
    std::string_view text, const std::function<std::optional<std::string>(std::string_view)>& findValue);

}  // namespace lanescope
