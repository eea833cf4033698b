#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/timeline_marks.h"

namespace lanescope {

/// The rows of a timeline's warps. Hits: Warp.
void paintTimelineRows(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                       const TimelineLayout& layout, const TimelineMarks& marks);

}  // namespace lanescope
