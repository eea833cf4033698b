#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "sim/memory/counters.h"
#include "sim/trace/replay.h"

namespace lanescope {

/// A stretch of source text in one colour.
struct SourceToken {
  enum class Kind : std::uint8_t { Plain, Keyword, Builtin, Number, Comment } kind = Kind::Plain;
  std::uint32_t begin = 0;  ///< byte offsets in the text, half-open
  std::uint32_t end = 0;
};

/// Splits a kernel text for colouring: the tokens cover it without gaps, and none crosses a line's end. Never
/// fails: unknown text is Plain.
std::vector<SourceToken> colourTokens(std::string_view text);

/// The colour that a kind of token is written in.
ColorRole tokenColor(SourceToken::Kind kind);

struct PicturePlan;

/// The cost of each line of a trace's text, in a form that gives it quickly at any cursor.
struct LinePlan {
  std::uint32_t stride = 1;               ///< steps from one of `at` to the next
  std::vector<std::vector<Counters>> at;  ///< by line, from 0; after 0, stride, 2 * stride … steps
  std::size_t longest = 0;                ///< bytes of the longest costText() that a line has
};
LinePlan planLines(const Trace& trace);

/// Counters by source line, kept up to date with a cursor; moving it costs the steps passed, in both
/// directions, except for leaps. Their sum is ReplayState::counters.
class LineCosts {
 public:
  /// Moves to the cursor of a replay; `plan`: of its trace.
  void syncTo(const Trace& trace, Cursor cursor, const std::shared_ptr<const PicturePlan>& plan);
  /// Counters of a line (1-based); zeros for a line without executed instructions.
  const Counters& of(std::uint32_t line) const;

 private:
  std::shared_ptr<const PicturePlan> plan_;
  std::uint32_t steps_ = 0;
  std::vector<Counters> lines_;
};

/// The text in a line's margin: `2 · 1` for shared wavefronts and conflicts, `8 sect.`, `6 diverge`; "" if
/// its cost is not worth showing.
std::string costText(const Counters& counters);
/// What most of these numbers are in a run with those counters in total, as the heading
/// of their margin: the others say what they are. "" if there are none.
std::string_view costTitle(const Counters& total);
/// The colour of costText(): that of the costly counter if there is one.
ColorRole costColor(const Counters& counters);
/// The color of a counter that costs, everywhere: divergence and conflicts have one each.
ColorRole costColor(CounterGroup group);
/// The meaning of costText(), and all counters of a line so far, one per line, for a tooltip; "" if none of
/// its instructions were executed.
std::string costTip(const Counters& counters);

/// The kernel's text with line numbers, the current line lit, a mark at the lines of the warps and the cost
/// of each line so far in its right margin (costText()). If there is no room for all lines, those around the
/// current line.
/// Hits: Line (index: the line).
Scene sourceScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The height of every line of the text, in logical pixels at that unit.
float sourceHeight(const Trace& trace, float unit);
/// The width at which every line, with its cost at the end, is whole in letters of their own size.
float sourceWidth(const Moment& moment, float unit);

}  // namespace lanescope
