#pragma once

#include "app/scene/base/moment.h"
#include "app/scene/base/text_measure.h"

namespace lanescope {

/// The warps as rows of lanes: active, masked off by a branch, waiting at a barrier, gone, not
/// started or not there, each with a colour and a mark of its own; at the right how many are active
/// and why the others are not. Many warps: smaller lanes, several warps side by side, and the chosen
/// one, or the one that runs, large above them. With SceneContext::variable its value is in every
/// lane instead of the thread's number, and in words at the right.
/// Hits: Thread (index: linear index in the block; line: where its warp is), Warp.
Scene warpScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
