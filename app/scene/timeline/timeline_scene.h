#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/scene/base/moment.h"
#include "app/scene/base/text_measure.h"
#include "app/scene/timeline/timeline_marks.h"

namespace lanescope {

/// What a timeline marks besides what its trace says.
struct TimelineNotes {
  struct Mark {
    std::uint32_t step = 0;  ///< as Cursor::steps
    std::string text;
  };
  std::vector<Mark> hazards;  ///< by step
};

/// All phases in a row, as wide as they have steps (none narrower than can be pointed at), with
/// marks where banks conflict or lanes diverge, hazards over them, and the play head. Under it, where
/// there is room, a row for each warp (for several, where there are many) with a bar where it runs:
/// as high as its share of active lanes, in the colour of a conflict where one is, of waiting where it
/// meets a barrier. SceneContext::timelineZoom shows a part of it. As long as its size stays the same, the
/// plan's stretches of steps are looked at once. Hits: Phase (index: phase; step: the step that completes
/// it), Warp (index: the row's first warp).
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
/// The same, once.
Scene timelineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure,
                    const TimelineNotes& notes = {});

/// The step (as Cursor::steps) under `x` in that scene, for scrubbing; clamped to the trace.
std::uint32_t timelineStepAt(const Trace& trace, const SceneContext& context, float x);
/// The step nearest to `x` that a warp of the row under `y` does; what timelineStepAt() says where
/// there is no row.
std::uint32_t timelineCellAt(const Trace& trace, const SceneContext& context, float x, float y,
                             const TimelineNotes& notes = {});
/// The x of the play head with that many steps done.
float timelineXOf(const Trace& trace, const SceneContext& context, std::uint32_t steps);

}  // namespace lanescope
