#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/replay.h"

namespace lanescope {

/// What a source line has cost up to a place in a trace.
struct LineCost {
  std::uint64_t wavefronts = 0;
  std::uint64_t conflicts = 0;
};

/// Costs by line, kept up to date with a cursor; moving it costs the steps passed, both ways.
class LineCosts {
 public:
  /// Moves to where that replay stands. Another `generation` means another trace.
  void follow(const Replay& replay, std::uint64_t generation);
  /// Cost of a line (1-based); zeros for a line that nothing ran on.
  LineCost of(std::uint32_t line) const;

 private:
  void add(const Step& step, bool forward);

  std::uint64_t generation_ = UINT64_MAX;
  std::uint32_t steps_ = 0;
  std::vector<LineCost> lines_;
};

}  // namespace lanescope
