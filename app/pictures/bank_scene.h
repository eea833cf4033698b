#pragma once

#include "app/pictures/base/moment.h"
#include "app/pictures/base/text_measure.h"

namespace lanescope {

/// The shared-memory banks as columns, the words in rows over them, the lanes of the current access on top
/// with a curve to each requested word, coloured by wavefront; wavefronts up to Cursor::wavefront are lit. A
/// step that is not a shared access is described in one sentence over dimmed words; a global access is drawn
/// with its sectors, a load of constant memory with its addresses.
/// Hits: Cell (index: shared cell), Bank (index: bank), Thread (lanes).
Scene bankScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The step in words: `s[index + i] read by warp 0: 8 words asked of 4 banks, 2 wavefronts, ideal 1`.
std::string describeStep(const Trace& trace, const Step& step);

}  // namespace lanescope
