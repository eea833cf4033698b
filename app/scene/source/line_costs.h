#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/scene/base/scene.h"
#include "sim/memory/counter_info.h"
#include "sim/trace/replay.h"

namespace lanescope {

struct PicturePlan;

/// What each line of a trace's text costs, so that it is found at any cursor in little time.
struct LinePlan {
  std::uint32_t stride = 1;               ///< steps from one of `at` to the next
  std::vector<std::vector<Counters>> at;  ///< by line, from 0; after 0, stride, 2 * stride … steps
  std::size_t longest = 0;                ///< bytes of the longest costText() of a line at the end
};
LinePlan planLines(const Trace& trace);

/// Counters by source line, kept up to date with a cursor; moving it costs the steps passed, both
/// ways, but for leaps. Their sum is ReplayState::counters.
class LineCosts {
 public:
  /// Moves to where that replay is; `plan`: of its trace.
  void follow(const Trace& trace, Cursor cursor, const std::shared_ptr<const PicturePlan>& plan);
  /// Counters of a line (1-based); zeros for a line that nothing ran on.
  const Counters& of(std::uint32_t line) const;

 private:
  std::shared_ptr<const PicturePlan> plan_;
  std::uint32_t steps_ = 0;
  std::vector<Counters> lines_;
};

/// What is in a line's margin: `2 · 1` for shared wavefronts and conflicts, `8 sect.`,
/// `6 diverge`; "" where it costs nothing worth it.
std::string costText(const Counters& counters);
/// Its colour: that of what costs, where something does.
ColorRole costColor(const Counters& counters);
/// The color of a counter that costs, everywhere: divergence and conflicts have one each.
ColorRole costColor(CounterGroup group);
/// What costText() means, and all that a line has counted so far, a line each, for a tooltip; "" where
/// nothing ran.
std::string costTip(const Counters& counters);

}  // namespace lanescope
