#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {

/// A round of a trace (Trace::beginsRound): what the warps of the block do with one line of the source, one
/// turn each.
struct TimelineRound {
  std::uint32_t first = 0;  ///< step
  std::uint32_t end = 0;
  std::uint32_t phase = 0;
  std::uint32_t threads = 0;  ///< that are active in one of its steps
  std::uint32_t warps = 0;    ///< that have a turn in it
  TimelineStretch::Look look = TimelineStretch::Look::Runs;
};
/// All rounds in order; none if the block has one warp.
std::vector<TimelineRound> planRounds(const Trace& trace);

/// The round at an x of a timeline; the phase's last one behind its end. nullptr if there is none.
const TimelineRound* roundAt(const Trace& trace, const std::vector<TimelineRound>& rounds,
                             const TimelineLayout& layout, float x);

/// The row that all warps share: a column for each round, as wide as its steps. Its solid bar is as high as
/// the share of the block's threads that are active in it, in the color of conflicts if a step of it has one;
/// the pale one behind it as the share of warps that have a turn. A low gray one is the arrival at a barrier.
/// Columns too narrow to stand apart are one, as high as the highest of them. The current round is bright.
/// Hits: Note (index: phase).
void paintTimelineRounds(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                         const TimelineLayout& layout);

/// `\nline 11: if (tid % (2 * k) == 0) {`, of a step; empty if it is on no line.
std::string quoteLine(const Trace& trace, std::uint32_t step);

}  // namespace lanescope
