#pragma once

#include "app/scene/banks/bank_layout.h"
#include "app/scene/base/scene_builder.h"
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

/// The colour of a conflict's wavefront, from 0; four take turns.
ColorRole wavefrontColor(std::uint32_t wavefront);

/// Where the wavefronts of a conflicted access are shown, and whose they are.
struct WavefrontFrame {
  SceneBuilder& out;
  const BankRequest& request;
  std::uint32_t wavefront = 0;  ///< the wavefront under way, from 1; 0: they are not shown one by one
  std::uint32_t steps = 0;      ///< where a click on a wavefront goes to, as Cursor::steps; 0: nowhere
  float left = 0;
  float top = 0;
  float bottom = 0;  ///< where the banks' own labels begin
};

/// How many wavefronts there are, the words of the one under way, and a box for each to go to it.
/// Hits: Wavefront (index: wavefront; step and wavefront: the place where it is under way).
void paintWavefronts(const WavefrontFrame& frame);

}  // namespace lanescope
