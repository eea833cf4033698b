#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// The tree of a kernel without shared memory: words of a buffer that it both loads and stores, or else its
/// results; cells [first, first + count) of the trace.
struct GlobalTree {
  const TracedArray* array = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  bool holds(std::uint32_t cell) const { return cell >= first && cell - first < count; }
};

/// The tree of a trace without shared memory. Empty if no buffer is both loaded and stored and none gets more
/// than one word, or if it has thousands of words.
std::optional<GlobalTree> findGlobalTree(const Trace& trace);

/// The operands in the tree of the words that a phase stores in it; none from a word to itself.
std::vector<OperandArrow> arrowsIn(const GlobalTree& tree, const Trace& trace, const Phase& phase);

}  // namespace lanescope
