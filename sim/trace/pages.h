#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope {

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
