#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// Where a kernel that uses no shared memory keeps its tree: words of a buffer that it both loads and
/// stores, or else its results; cells [first, first + count) of the trace.
struct GlobalTree {
  const TracedArray* array = nullptr;
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  bool holds(std::uint32_t cell) const { return cell >= first && cell - first < count; }
};

/// The tree of a trace without shared memory, or nothing: no buffer is loaded and stored and none gets more
/// than one word, or it has thousands of words.
std::optional<GlobalTree> findGlobalTree(const Trace& trace);

/// What the words that a phase stores in the tree are made of there; not from a word to itself.
std::vector<OperandArrow> arrowsIn(const GlobalTree& tree, const Trace& trace, const Phase& phase);

}  // namespace lanescope
