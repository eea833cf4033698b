#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/text_measure.h"
#include "app/pictures/timeline_marks.h"

namespace lanescope {

/// The marks of a timeline that do not come from its trace.
struct TimelineNotes {
  struct Mark {
    std::uint32_t step = 0;  ///< as Cursor::steps
    std::string text;
  };
  std::vector<Mark> hazards;  ///< by step
};

/// All phases in a row, as wide as their number of steps (none too narrow to be pointed at), with marks for
/// bank conflicts and divergence, hazards over them, and the play head. Under it, if there is room, is a row
/// for each warp (or for several, if there are many) with a bar for each stretch that it runs: as high as its
/// share of active lanes, in the colour of conflicts if it has one, or in that of waiting at a barrier.
/// SceneContext::timelineZoom shows a part of it. While its size stays the same, the plan's stretches of
/// steps are visited only once.
/// Hits: Phase (index: phase; step: the step that completes it), Warp (index: the row's first warp).
class Timeline {
 public:
  Scene scene(const Moment& moment, const SceneContext& context, const TextMeasure& measure,
              const TimelineNotes& notes = {});

 private:
  struct Size {
    float width = 0, height = 0, unit = 0, zoom = 1, from = 0;
    bool hasHazards = false;
    bool operator==(const Size&) const = default;
  };
  std::shared_ptr<const PicturePlan> plan_;  ///< of the trace that is laid out
  Size size_;
  TimelineLayout layout_;
  TimelineMarks marks_;
};
/// The same timeline, for a single use.
Scene timelineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure,
                    const TimelineNotes& notes = {});

/// The step (as Cursor::steps) under `x` in that scene, for scrubbing; clamped to the trace.
std::uint32_t timelineStepAt(const Trace& trace, const SceneContext& context, float x);
/// The step nearest to `x` that a warp of the row under `y` executes; the result of timelineStepAt() if there
/// is no row.
std::uint32_t timelineCellAt(const Trace& trace, const SceneContext& context, float x, float y,
                             const TimelineNotes& notes = {});
/// The x of the play head with that many steps done.
float computeTimelineX(const Trace& trace, const SceneContext& context, std::uint32_t steps);

}  // namespace lanescope
