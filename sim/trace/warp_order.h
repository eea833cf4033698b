#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/memory/machine_model.h"

namespace lanescope {

/// The order of accesses by a warp's lanes: a vector clock per lane, over the warp's own time. Time advances
/// at every __syncwarp.
class WarpOrder {
 public:
  std::uint32_t time() const { return time_; }

  /// True if the access of `earlier` at `then` comes before the current one of `later`.
  bool isOrdered(unsigned earlier, std::uint32_t then, unsigned later) const {
    return then < known_[later][earlier];
  }

  /// The lanes of `mask` wait for each other: each one's clock covers the clocks of all of them.
  void synchronize(std::uint32_t mask) {
    ++time_;
    std::array<std::uint32_t, kMaxLanes> joined{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      for (unsigned of = 0; of < kMaxLanes; ++of) joined[of] = std::max(joined[of], known_[lane][of]);
    }
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((mask >> lane & 1u) != 0) joined[lane] = time_;
    }
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((mask >> lane & 1u) != 0) known_[lane] = joined;
    }
  }

 private:
  std::uint32_t time_ = 0;
  std::array<std::array<std::uint32_t, kMaxLanes>, kMaxLanes> known_{};
};

}  // namespace lanescope
