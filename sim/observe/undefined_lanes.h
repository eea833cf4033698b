#pragma once

#include <vector>

#include "sim/machine/run/warp_state.h"

namespace lanescope {

/// Follows what shuffles read from lanes that were not there through a warp's registers. Reading such a
/// value harms nobody; storing it, or branching on it, does ("If the target thread is inactive, the
/// retrieved value is undefined": CUDA Programming Guide, "Warp Shuffle Functions").
class UndefinedLanes {
 public:
  /// A block begins: all is defined.
  void reset(std::uint32_t registers);

  /// After an instruction, not a branch: the lanes that used an undefined value in it for good.
  std::uint32_t follow(const WarpState& warp, const Instruction& i, unsigned warpSize);
  /// Those of `active` that decide on an undefined value in register `test`.
  std::uint32_t decide(std::uint16_t test, std::uint32_t active) const {
    return anyUndefined_ ? undefined_[test] & active : 0;
  }
  /// The shuffle that last read from a lane that was not there.
  std::uint32_t shufflePc() const { return shufflePc_; }

 private:
  void shuffle(const WarpState& warp, const Instruction& i, unsigned warpSize);

  bool anyUndefined_ = false;
  std::uint32_t shufflePc_ = 0;
  std::vector<std::uint32_t> undefined_;  ///< by register: lanes
};

}  // namespace lanescope
