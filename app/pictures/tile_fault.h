#pragma once

#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/tile_plan.h"

namespace lanescope {

/// The position of a matrix or tile in the picture.
struct TileFrame {
  const TileArray* array = nullptr;
  Rect area{};               ///< of its cells
  float wide = 0, high = 0;  ///< of a cell
};

/// Units that the tag of a fault and its cell take below the pictures.
constexpr float kTileFault = 50;

/// The element of the access that ended the block: in its matrix, or in a row of its own above or below it if
/// out of bounds, with a tag below. If its array is not drawn, only the tag.
void paintTileFault(SceneBuilder& out, const Moment& moment, const std::vector<TileFrame>& frames);

}  // namespace lanescope
