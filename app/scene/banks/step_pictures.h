#pragma once

#include <cstdint>
#include <string>

#include "app/scene/base/moment.h"
#include "app/scene/base/text_measure.h"

namespace lanescope {

/// A global access, by its step's index: the lines of memory that it touches, of four sectors each, the lanes
/// at the bytes they ask for, and how many of the bytes moved are used. Faint where it is not the step under
/// way; what that one does is in a sentence then.
/// Hits: Thread.
Scene sectorScene(const Moment& moment, std::uint32_t access, const SceneContext& context,
                  const TextMeasure& measure);

/// A shuffle, faint where it is not the step under way: the lanes before and after, a curve from each lane
/// read to its reader.
/// Hits: Thread.
Scene shuffleScene(const Moment& moment, const Step& shuffle, const SceneContext& context,
                   const TextMeasure& measure);

/// The load of constant memory under way: the different addresses that the warp asks for, and a curve from
/// each to the lanes that read it. Hits: Cell (index: cell), Thread.
Scene constantScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// Where to see the work of a kernel without shared memory, where no global access can be shown either.
Scene noSharedScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// What an atomic costs beyond its wavefronts or sectors, where lanes update one word: their updates are
/// serialized ("SIMT Architecture" in the CUDA C++ Programming Guide). Empty for any other step.
std::string contentionText(const Trace& trace, const Step& step);

/// Bytes that a global access moves, and those of them that lanes ask for.
struct BytesUsed {
  std::uint32_t used = 0;
  std::uint32_t moved = 0;
};
BytesUsed bytesUsed(const Trace& trace, const Step& step);

}  // namespace lanescope
