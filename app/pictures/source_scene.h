#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// The kernel's text with line numbers, the current line lit, a mark at the lines of the warps and the cost
/// of each line so far in its right margin (costText()). If there is no room for all lines, those around the
/// current line.
/// Hits: Line (index: the line).
Scene sourceScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The height of every line of the text, in logical pixels at that unit.
float sourceHeight(const Trace& trace, float unit);
/// The width at which every line, with its cost at the end, is whole in letters of their own size.
float sourceWidth(const Moment& moment, float unit);

}  // namespace lanescope
