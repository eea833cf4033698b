#pragma once

#include "app/scene/base/moment.h"
#include "app/scene/base/scene.h"
#include "app/scene/base/text_measure.h"

namespace lanescope {

/// The arrays of two dimensions of a trace at a moment (PicturePlan::tiles, which is not empty): shared tiles
/// with a row of cells per row of the array, padding hatched, beside the matrices that they are of, in which
/// the traced block's part is framed. Own row and column of a thread that is pointed at are lit up.
Scene tileScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
