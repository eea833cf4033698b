#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/ladder.h"

namespace lanescope {

/// The ladder: for each phase a row of its threads, with lines from the words that they read and to the words
/// that they write, and the words as the phase leaves them. The rows of the current phase show threads and
/// words live; later rows are empty. Above it are the input elements that the block loads. If lanes shuffle,
/// rows of threads show a register of each. If there is too little room, all phases but the current one are
/// folded to a line each. Hits: Cell (index: shared cell; thread: its writer), Thread, Phase (labels, with
/// the step that completes it), More (a folded phase; index: the phase).
Scene ladderScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The picture of a block's arrays: tileScene() for a kernel with two-dimensional data, else the ladder.
Scene arrayScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

}  // namespace lanescope
