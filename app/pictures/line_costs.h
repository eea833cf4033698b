#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pictures/base/scene.h"
#include "sim/memory/counters.h"
#include "sim/trace/replay.h"

namespace lanescope {

struct PicturePlan;

/// The cost of each line of a trace's text, in a form that gives it quickly at any cursor.
struct LinePlan {
  std::uint32_t stride = 1;               ///< steps from one of `at` to the next
  std::vector<std::vector<Counters>> at;  ///< by line, from 0; after 0, stride, 2 * stride … steps
  std::uint32_t longest = 0;              ///< columns of the longest costText() that a line has
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

/// The text in a line's margin: `2 · 1` for shared wavefronts and conflicts, `8 sect.`, `diverges 6×`; "" if
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

}  // namespace lanescope
