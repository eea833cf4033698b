#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sim/machine/run/warp_state.h"

namespace lanescope {

/// Detects that a warp only waits for other threads: it is at an instruction at which it was a moment ago,
/// with the same lanes and the same values in all its registers. It checks rarely, and less often the longer
/// the warp runs; a warp that it misses only waits longer.
class WaitProbe {
 public:
  explicit WaitProbe(std::uint32_t registers)
      : bytes_(std::size_t{registers} * kMaxLanes * sizeof(std::uint32_t)) {}

  static constexpr std::uint64_t kBatch = 4096;  ///< instructions between two calls of look(), at most

  /// The warp continues; returns the number of instructions until look() is to be called.
  std::uint64_t begin(const WarpState& warp) {
    isLooking_ = false;
    batches_ = 0;
    next_ = warp.waits ? 1 : kFirst;
    return warp.waits ? kResumed : kBatch;
  }

  /// The number of instructions until the next call; 0: the warp waits.
  std::uint64_t look(const WarpState& warp) {
    if (!isLooking_) {
      if (warp.active == 0) return 1;  // between the two sides of an if
      if (++batches_ < next_) return kBatch;
      next_ = batches_ + std::min(batches_, kMostBatches);
      keep(warp);
      return 1;
    }
    if (isSame(warp)) return 0;
    isLooking_ = ++looked_ < kWindow;
    return isLooking_ ? 1 : kBatch;
  }

 private:
  static constexpr std::uint64_t kResumed = 64;
  static constexpr std::uint64_t kWindow = 256;  ///< the most instructions in a loop that waits
  static constexpr std::uint64_t kFirst = 4;     ///< the batch after which it first looks
  static constexpr std::uint64_t kMostBatches = 256;

  void keep(const WarpState& warp) {
    isLooking_ = true;
    looked_ = 0;
    pc_ = warp.pc;
    active_ = warp.active;
    calls_ = warp.calls();
    registers_.resize(bytes_);
    std::memcpy(registers_.data(), warp.registers, bytes_);
  }

  bool isSame(const WarpState& warp) const {
    return warp.pc == pc_ && warp.active == active_ && warp.calls() == calls_ &&
           std::memcmp(registers_.data(), warp.registers, bytes_) == 0;
  }

  std::size_t bytes_;
  bool isLooking_ = false;
  std::uint64_t batches_ = 0;
  std::uint64_t next_ = 1;
  std::uint64_t looked_ = 0;
  std::uint32_t pc_ = 0;
  std::uint32_t active_ = 0;
  std::size_t calls_ = 0;
  std::vector<std::byte> registers_;
};

}  // namespace lanescope
