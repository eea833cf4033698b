#pragma once

#include <string>

#include "app/pictures/base/scene.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The note beside the map of a grid: how many blocks fit an SM.
struct GridNote {
  std::string brief{};   ///< a few words; can be empty
  std::string detail{};  ///< the tooltip: how that comes about
};

/// Height of gridScene() for that context's width, logical pixels; 0 for a grid of one block.
float gridHeight(const Trace& trace, const SceneContext& context, const GridNote& note,
                 const TextMeasure& measure);

/// A strip with a map of the launch's blocks, the traced one marked: one cell per block, and as many rows as
/// a two-dimensional grid has if they are few, else wrapped. If there are too many blocks, a cell stands for
/// several.
/// A hit of kind Block has the index of its cell's first block: x, then y, then z.
Scene gridScene(const Trace& trace, const SceneContext& context, const GridNote& note,
                const TextMeasure& measure);

}  // namespace lanescope
