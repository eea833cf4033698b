#pragma once

#include <vector>

#include "app/pictures/base/scene_builder.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The position of a timeline's parts.
struct TimelineLayout {
  std::vector<float> edges;    ///< start of each phase's cell, and the end of the last one
  float left = 0, right = 0;   ///< the visible part if zoomed in
  Rect strip;                  ///< the phases
  float rowsTop = 0;           ///< the warps
  float rowHeight = 0;         ///< 0: no room for them
  std::uint32_t rows = 0;      ///< how many
  std::uint32_t rowWarps = 1;  ///< warps that share one

  /// The x of the boundary before step `steps` of a phase.
  float xIn(const Trace& trace, std::uint32_t phase, std::uint32_t steps) const;
  /// The visible part of it; its width is 0 if there is none.
  Rect inView(const Rect& rect) const;
  /// The row under `y`, or -1.
  int rowAt(float y) const;
};

TimelineLayout layOutTimeline(const Trace& trace, const SceneContext& context, bool hazards);

}  // namespace lanescope
