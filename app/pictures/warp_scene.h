#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// The warps as rows of lanes: active, masked off by a branch, waiting at a barrier, exited, not started or
/// absent, each with a colour and a mark of its own; at the right the number of active lanes and the reason
/// why the others are not. If there are many warps: smaller lanes, several warps side by side, and the chosen
/// or the running warp large above them. With SceneContext::variable its value is in every lane instead of
/// the thread's number, and in words at the right.
/// Hits: Thread (index: linear index in the block; line: the line of its warp), Warp.
Scene warpScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
