#pragma once

#include "app/scene/base/moment.h"
#include "app/scene/base/scene_builder.h"

namespace lanescope {

constexpr float kFaultTag = 18;  ///< units, its height

/// Whether the run ends at an array: the tag's room is kept from the start, so that nothing moves then. Where
/// the future is hidden it does not say so before.
bool hasFaultTag(const Moment& moment, const SceneContext& context);

/// Names what a fault accessed, as far left as `x` where there is room, around `y`. Where no array is known,
/// nothing. Hits: Thread, the first at fault, with the fault's sentence.
void paintFaultTag(SceneBuilder& out, const Moment& moment, float x, float y);

}  // namespace lanescope
