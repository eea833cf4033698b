#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/trace/replay.h"

namespace lanescope {

/// Counters by source line, kept up to date with a cursor; moving it costs the steps passed, both
/// ways. Their sum is ReplayState::counters.
class LineCosts {
 public:
  /// Moves to where that replay stands. Another `generation` means another trace.
  void follow(const Replay& replay, std::uint64_t generation);
  /// Counters of a line (1-based); zeros for a line that nothing ran on.
  const Counters& of(std::uint32_t line) const;

  /// Bytes of the longest costText of a line at the end of the run.
  std::size_t longest() const { return longest_; }

 private:
  void add(const Trace& trace, const Step& step, bool forward);

  std::uint64_t generation_ = UINT64_MAX;
  std::uint32_t steps_ = 0;
  std::size_t longest_ = 0;
  std::vector<Counters> lines_;
};

/// What stands in a line's margin: `2 · 1` for shared wavefronts and conflicts, `8 sectors`,
/// `6 diverge`; "" where it costs nothing worth it.
std::string costText(const Counters& counters);
/// All that a line has counted so far, a line each, for a tooltip; "" where nothing ran.
std::string costTip(const Counters& counters);

}  // namespace lanescope
