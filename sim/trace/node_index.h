#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope {

/// A hash of up to three numbers (the finisher of splitmix64).
inline std::uint64_t computeHash(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
  std::uint64_t z = a + 0x9e3779b97f4a7c15U * (b + 1) + 0xd1b54a32d192ed03U * c;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// A hash of two operands that most often count up together, as the operands of a warp's lanes do: adjacent
/// ones share a line of the cache.
inline std::uint64_t hashOfOperands(std::uint32_t left, std::uint32_t right, std::uint32_t kind = 0) {
  constexpr std::uint32_t kLine = 16;
  return (computeHash(left / kLine, right / kLine, kind) & ~std::uint64_t{kLine - 1}) | left % kLine;
}

/// Finds the nodes of a graph by their contents: an open hash table of their numbers, which takes four to
/// eight bytes per node. Number 0 is not a node.
class NodeIndex {
 public:
  /// The node of that hash for which isIt(number) is true, or 0.
  template <class IsIt>
  std::uint32_t find(std::uint64_t hash, IsIt isIt) const {
    if (slots_.empty()) return 0;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
      if (isIt(slots_[slot])) return slots_[slot];
    }
    return 0;
  }

  /// Adds a new node; hashOfNode(number) is the hash of any existing node, for when the table grows.
  template <class HashOfNode>
  void add(std::uint64_t hash, std::uint32_t number, HashOfNode hashOfNode) {
    if (4 * (count_ + 1) > 3 * slots_.size()) {
      std::vector<std::uint32_t> before(slots_.empty() ? 64 : 2 * slots_.size());
      before.swap(slots_);
      for (const std::uint32_t known : before) {
        if (known != 0) put(hashOfNode(known), known);
      }
    }
    put(hash, number);
    ++count_;
  }

  /// Clears all nodes, and keeps the memory for others.
  void forget() {
    if (count_ > 0) std::ranges::fill(slots_, 0U);
    count_ = 0;
  }
  /// Clears all nodes and releases the memory.
  void clear() { *this = {}; }
  std::size_t bytes() const { return slots_.size() * sizeof(std::uint32_t); }

 private:
  void put(std::uint64_t hash, std::uint32_t number) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = number;
  }

  std::vector<std::uint32_t> slots_;
  std::size_t count_ = 0;
};

}  // namespace lanescope
