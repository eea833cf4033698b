#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"

namespace lanescope {

/// One access in a line of the source, to shared or global memory, by every warp that executes it in a round
/// (Trace::beginsRound).
struct LineAccess {
  std::vector<std::uint32_t> steps;  ///< one for each warp, in the trace's order
  std::uint32_t wavefronts = 0;      ///< of all of them
  std::uint32_t ideal = 0;
  std::uint32_t sectors = 0;
};

/// The accesses of the current round, in the order of the text's execution; empty unless the cursor is at its
/// end, where every warp has had its turn.
std::vector<LineAccess> listLineAccesses(const Moment& moment);

/// The one to be shown: that to shared memory with most wavefronts beyond the ideal, else the last one;
/// nullptr if there is none.
const LineAccess* chooseAccess(const Trace& trace, const std::vector<LineAccess>& accesses);

/// The one to be shown beside it: if the chosen one is to shared memory, that to global memory with most
/// sectors, else that to shared memory with most wavefronts beyond the ideal; nullptr if there is none.
const LineAccess* chooseOther(const Trace& trace, const std::vector<LineAccess>& accesses,
                              const LineAccess& chosen);

/// Steps of one access that make the same picture but for the words' numbers, by step.
using AlikeSteps = std::vector<std::uint32_t>;
std::vector<AlikeSteps> groupAlike(const Trace& trace, const std::vector<std::uint32_t>& steps);

/// By line (SceneContext::byLine): the current line's access, in a picture for each warp. If there is no room
/// for all, in one for each group of warps that are alike; and if there is none for these either, for as many
/// as have room, those with most wavefronts first. A warp that is pointed at or chosen is in one of them.
/// A line that accesses shared and global memory has both, one above the other, if the panel is high enough.
/// Nothing if there is no such access, or it is the current step alone.
/// Hits: as bankScene().
std::optional<Scene> lineAccessScene(const Moment& moment, const SceneContext& context,
                                     const TextMeasure& measure);

}  // namespace lanescope
