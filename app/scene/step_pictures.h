#pragma once

#include "app/scene/scene_builder.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// Where the bank picture draws a step that is no shared access: between its sentence and its words.
struct StepFrame {
  SceneBuilder& out;
  const Trace& trace;
  const SceneContext& context;
  float left = 0;  ///< of the first column
  float top = 0;
  float bottom = 0;
};

/// A global access: the sectors it touches as boxes, the words asked for filled.
void paintSectors(const StepFrame& frame, const Step& step);

/// A shuffle: the lanes before and after, a curve from each lane read to its reader.
void paintShuffle(const StepFrame& frame, const Step& step, float alpha);

}  // namespace lanescope
