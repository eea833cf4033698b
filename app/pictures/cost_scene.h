#pragma once

#include <vector>

#include "app/analysis/cost.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// The colour of a role, in every kernel's bar and in the legend.
ColorRole costRoleColor(LineRole role);

/// The end of the scale: a round number of microseconds, not under the longest time; and its ticks from 0.
struct CostScale {
  double us = 0;
  std::vector<double> ticks;
};
CostScale makeCostScale(double mostUs);

/// The least height in which every bar can be read, in logical pixels at the context's width and unit.
float leastCostHeight(const CostChart& chart, const SceneContext& context, const TextMeasure& measure);

/// A bar for each kernel, all on one scale of microseconds, as long as its time: a piece for each line, as
/// wide as its share, with the line's code in it, and its percent and time below. A predicted bar is only
/// outlined. What all have in common, GPU, N and block, is said once, in the heading. In a narrow picture a
/// bar is below its name. Hits: Line (index: the line; a piece of the current text), Strategy (index: the
/// kernel's).
Scene costScene(const CostChart& chart, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
