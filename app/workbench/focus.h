#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/replay.h"

namespace lanescope {

/// The object under the pointer, or kept by a click; -1 for none.
struct Focus {
  std::int64_t thread = -1;  ///< linear index in the block
  std::int64_t cell = -1;    ///< shared cell
  std::int64_t line = -1;    ///< of the source, from 1
  bool operator==(const Focus&) const = default;
  bool empty() const { return thread < 0 && cell < 0 && line < 0; }
};

/// Everything that belongs to a focus at a moment; lists are sorted, none twice.
struct Linked {
  std::vector<std::uint32_t> threads;
  std::vector<std::uint32_t> cells;
  std::vector<std::uint32_t> lines;
  bool operator==(const Linked&) const = default;
};

/// The parts that light up with a focus, at the replay's place. A thread brings the words of the last shared
/// access it took part in, within the phase, and the line of its warp. A word brings the threads of the last
/// access to it within the phase, and that line. A line brings the lanes that were active when their warp
/// last ran it, if it is still there, and their words.
Linked linkedTo(const Replay& replay, const Focus& focus);

}  // namespace lanescope
