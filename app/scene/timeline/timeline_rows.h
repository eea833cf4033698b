#pragma once

#include "app/scene/base/moment.h"
#include "app/scene/timeline/timeline_marks.h"

namespace lanescope {

/// The rows of a timeline's warps. Hits: Warp.
void paintTimelineRows(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                       const TimelineLayout& layout, const TimelineMarks& marks);

}  // namespace lanescope
