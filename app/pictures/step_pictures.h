#pragma once

#include <cstdint>
#include <string>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/text_measure.h"

namespace lanescope {

/// A global access, by its step's index: the lines of memory that it touches, of four sectors each, the lanes
/// at the bytes they request, and how many of the moved bytes are used. Faint if it is not the current step;
/// a sentence then describes the current step.
/// Hits: Thread.
Scene sectorScene(const Moment& moment, std::uint32_t access, const SceneContext& context,
                  const TextMeasure& measure);

/// A shuffle, faint if it is not the current step: the lanes before and after, a curve from each lane read to
/// its reader.
/// Hits: Thread.
Scene shuffleScene(const Moment& moment, const Step& shuffle, const SceneContext& context,
                   const TextMeasure& measure);

/// The current load of constant memory: the different addresses that the warp requests, and a curve from each
/// to the lanes that read it. Hits: Cell (index: cell), Thread.
Scene constantScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// A hint to the other pictures, for a kernel without shared memory if there is no global access to show
/// either.
Scene noSharedScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The cost of an atomic beyond its wavefronts or sectors if several lanes update one word: their updates are
/// serialized ("SIMT Architecture" in the CUDA C++ Programming Guide). Empty for any other step.
std::string contentionText(const Trace& trace, const Step& step);

/// Bytes that a global access moves, and how many of them lanes request.
struct BytesUsed {
  std::uint32_t used = 0;
  std::uint32_t moved = 0;
};
BytesUsed bytesUsed(const Trace& trace, const Step& step);

}  // namespace lanescope
