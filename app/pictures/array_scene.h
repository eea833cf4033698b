#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/base/text_measure.h"

namespace lanescope {

/// The ladder: one row per phase, one cell per shared word, arrows from operands to results. Rows of past
/// phases show the words at the end of the phase, the row of the current phase shows them live, later rows
/// are empty. Above it, for up to 64 words, are the input words that the block loads; if lanes shuffle, there
/// are rows of the threads' registers with arrows from lane to lane.
/// Hits: Cell (index: shared cell; thread: its writer), Thread (register rows), Phase (row labels, with the
/// step that completes it).
Scene ladderScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The picture of a block's arrays: tileScene() for a kernel with two-dimensional data, else the ladder.
Scene arrayScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
