#pragma once

#include <cstdint>
#include <vector>

#include "app/pictures/base/moment.h"

namespace lanescope {

/// A warp's place in the text at a moment, against the current line: that of the current step's round
/// (Trace::beginsRound), in which each warp that comes to the line has one turn.
struct WarpPlace {
  std::uint32_t line = 0;  ///< of its last step done; 0: it has done none
  /// True if its turn in the current round is yet to come: it has not reached the current line.
  bool isBehind = false;
  bool hasEnded = false;  ///< all of its threads have returned
};

/// The place of each warp.
std::vector<WarpPlace> findWarpPlaces(const Moment& moment);

}  // namespace lanescope
