#pragma once

#include "app/scene/moment.h"
#include "app/scene/text_measure.h"

namespace lanescope {

/// All phases in a row, as wide as they have steps (none narrower than can be pointed at), with
/// marks where banks conflict or lanes diverge, and the play head.
/// Hits: Phase (index: phase; step: the step that completes it).
Scene timelineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The step (as Cursor::steps) under `x` in that scene, for scrubbing; clamped to the trace.
std::uint32_t timelineStepAt(const Trace& trace, const SceneContext& context, float x);
/// The x at which the play head stands with that many steps done.
float timelineXOf(const Trace& trace, const SceneContext& context, std::uint32_t steps);

}  // namespace lanescope
