#pragma once

#include <vector>

#include "app/scene/base/moment.h"
#include "app/scene/base/scene_builder.h"
#include "app/scene/tiles/tile_plan.h"

namespace lanescope {

/// Where a matrix or tile is drawn.
struct TileFrame {
  const TileArray* array = nullptr;
  Rect area{};               ///< of its cells
  float wide = 0, high = 0;  ///< of a cell
};

/// Units that the tag of a fault and its cell take below the pictures.
constexpr float kTileFault = 50;

/// The element of the access that ended the block: in its matrix, or in a row of its own above or below where
/// it is out of bounds, with a tag below. Where its array is not among those that are drawn, the tag is
/// alone.
void paintTileFault(SceneBuilder& out, const Moment& moment, const std::vector<TileFrame>& frames);

}  // namespace lanescope
