#pragma once

#include "app/scene/moment.h"
#include "app/scene/text_measure.h"

namespace lanescope {

/// The warps as rows of lanes: active, masked off by a branch, waiting at a barrier, gone, not
/// started or not there, each with a colour and a mark of its own; at the right how many are active
/// and why the others are not. Many warps: smaller lanes, several warps side by side.
/// Hits: Thread (index: linear index in the block).
Scene warpScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
