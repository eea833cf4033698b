#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
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

/// A run of entries [first, first + count) in one of a trace's pools.
struct PoolRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool operator==(const PoolRange&) const = default;
};

/// A pool that grows without moving its entries and with little unused room: pages of about 64 KiB. Entries
/// appended at once are consecutive; if they do not fit into the rest of a page, that rest stays empty, so
/// only the indices that append() returned are valid.
template <class T>
class Pages {
 public:
  static constexpr std::size_t kPerPage = std::bit_floor(std::size_t{65536} / sizeof(T));

  /// The index of the next entries, if so many (at most kPerPage) are appended at once.
  std::uint32_t indexFor(std::size_t count) const {
    const std::size_t used = pages_.empty() ? 0 : pages_.back().size();
    const bool fits = !pages_.empty() && used + count <= kPerPage;
    return static_cast<std::uint32_t>(fits ? (pages_.size() - 1) * kPerPage + used
                                           : pages_.size() * kPerPage);
  }
  /// Appends entries, at most kPerPage; returns the index of the first.
  std::uint32_t append(std::span<const T> run) {
    const std::uint32_t first = indexFor(run.size());
    pageAt(first).insert(pages_.back().end(), run.begin(), run.end());
    return first;
  }
  std::uint32_t append(const T& entry) {
    const std::uint32_t index = indexFor(1);
    pageAt(index).push_back(entry);
    return index;
  }

  const T& operator[](std::size_t index) const { return pages_[index / kPerPage][index % kPerPage]; }
  T& operator[](std::size_t index) { return pages_[index / kPerPage][index % kPerPage]; }
  /// The entries that were appended at once.
  std::span<const T> run(PoolRange range) const {
    if (range.count == 0) return {};
    return std::span(pages_[range.first / kPerPage]).subspan(range.first % kPerPage, range.count);
  }
  /// The entries from there on, to the end of the page.
  std::span<const T> rest(std::size_t index) const {
    return std::span(pages_[index / kPerPage]).subspan(index % kPerPage);
  }

  /// One past the last entry: their number if they were appended one by one.
  std::size_t size() const {
    return pages_.empty() ? 0 : (pages_.size() - 1) * kPerPage + pages_.back().size();
  }
  bool empty() const { return pages_.empty(); }
  const T& back() const { return pages_.back().back(); }
  T& back() { return pages_.back().back(); }
  std::size_t bytes() const { return size() * sizeof(T); }

 private:
  /// The last page, after a new one was begun if the index is the first of one.
  std::vector<T>& pageAt(std::uint32_t index) {
    if (index / kPerPage == pages_.size()) {
      const bool isFirst = pages_.empty();
      pages_.emplace_back();
      if (!isFirst) pages_.back().reserve(kPerPage);  // a short trace needs no whole page
    }
    return pages_.back();
  }

  std::vector<std::vector<T>> pages_;
};

}  // namespace lanescope
