#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"

namespace lanescope {

constexpr float kFaultTag = 18;  ///< units, its height

/// True if the run ends at an array: the tag's room is kept from the start, so that nothing moves when the
/// fault comes. If the future is hidden, false until then.
bool hasFaultTag(const Moment& moment, const SceneContext& context);

/// Names the target of a faulting access, around `y` and as far left as `x` if there is room. Draws nothing
/// if the array is unknown.
/// Hits: Thread, the first at fault, with the fault's sentence.
void paintFaultTag(SceneBuilder& out, const Moment& moment, float x, float y);

}  // namespace lanescope
