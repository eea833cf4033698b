#pragma once

#include "app/scene/base/moment.h"
#include "app/scene/base/text_measure.h"

namespace lanescope {

/// The ladder: one row per phase, one cell a shared word, arrows from operands to results. Rows of
/// phases that are over show the words as they were when the phase ended, the row of the phase under
/// way shows them live, later rows are empty. Above it, up to 64 words, the input words the block
/// loads; where lanes shuffle, rows of the threads' registers with arrows from lane to lane.
/// Hits: Cell (index: shared cell; thread: who wrote it), Thread (register rows), Phase (row labels,
/// with the step that completes it).
Scene ladderScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The picture of a block's arrays: that of tileScene() for a kernel whose data have two dimensions, else the
/// ladder.
Scene arrayScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
