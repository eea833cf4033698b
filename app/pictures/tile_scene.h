#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/base/text_measure.h"

namespace lanescope {

/// The two-dimensional arrays of a trace at a moment (PicturePlan::tiles, which is not empty): shared tiles
/// with one row of cells per row of the array, padding hatched, beside the matrices that they come from, in
/// which the traced block's part is framed. The row and column of the thread under the pointer are lit up.
Scene tileScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
