#pragma once

#include <vector>

#include "sim/machine/run/warp_state.h"

namespace lanescope {

/// Follows values that shuffles read from inactive lanes through a warp's registers. Reading such a value is
/// harmless; storing it, or branching on it, is not ("If the target thread is inactive, the retrieved value
/// is undefined": CUDA Programming Guide, "Warp Shuffle Functions").
class UndefinedLanes {
 public:
  /// A block begins: everything is defined.
  void reset(std::uint32_t registers);

  /// Called after an instruction that is not a branch: the lanes that stored an undefined value or used it as
  /// an address.
  std::uint32_t syncTo(const WarpState& warp, const Instruction& i, unsigned warpSize);
  /// The lanes of `active` that decide on an undefined value in register `test`.
  std::uint32_t decide(std::uint16_t test, std::uint32_t active) const {
    return anyUndefined_ ? undefined_[test] & active : 0;
  }
  /// The shuffle that last read from an inactive lane.
  std::uint32_t shufflePc() const { return shufflePc_; }

 private:
  void shuffle(const WarpState& warp, const Instruction& i, unsigned warpSize);

  bool anyUndefined_ = false;
  std::uint32_t shufflePc_ = 0;
  std::vector<std::uint32_t> undefined_;  ///< by register: lanes
};

}  // namespace lanescope
