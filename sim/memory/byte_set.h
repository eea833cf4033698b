#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace lanescope {

/// A set of the bytes of a buffer: a bit per byte. Several threads may add to it and take from it at once.
class ByteSet {
 public:
  /// Empty. Memory for it is taken by the page, as it is used.
  explicit ByteSet(std::uint64_t bytes)
      : bytes_(bytes),
        words_(static_cast<std::uint64_t*>(std::calloc(countWords() + 1, sizeof(std::uint64_t))),
               &std::free) {}

  /// False: there was no memory for it.
  bool isThere() const { return words_ != nullptr; }
  std::uint64_t size() const { return bytes_; }

  /// Returns how many of these bytes were not in it.
  std::uint64_t add(std::uint64_t begin, std::uint64_t count) {
    std::uint64_t added = 0;
    forEachWord(begin, count, [&](std::uint64_t& word, std::uint64_t mask) {
      const std::atomic_ref<std::uint64_t> shared(word);
      if ((shared.load(std::memory_order_relaxed) & mask) == mask) return;
      added += countBits(mask & ~shared.fetch_or(mask, std::memory_order_relaxed));
    });
    return added;
  }
  /// Returns how many of these bytes were in it.
  std::uint64_t remove(std::uint64_t begin, std::uint64_t count) {
    std::uint64_t removed = 0;
    forEachWord(begin, count, [&](std::uint64_t& word, std::uint64_t mask) {
      removed += countBits(mask & std::atomic_ref(word).fetch_and(~mask, std::memory_order_relaxed));
    });
    return removed;
  }
  bool hasAll(std::uint64_t begin, std::uint64_t count) const {
    bool hasAll = true;
    forEachWord(begin, count, [&](std::uint64_t& word, std::uint64_t mask) {
      hasAll = hasAll && (std::atomic_ref(word).load(std::memory_order_relaxed) & mask) == mask;
    });
    return hasAll;
  }

  std::uint64_t count() const {
    std::uint64_t count = 0;
    for (std::size_t w = 0; w < countWords(); ++w) count += countBits(words_.get()[w]);
    return count;
  }
  /// The first byte from `begin` on that is in the set, or is not; size() if there is none.
  std::uint64_t findNext(std::uint64_t begin, bool isIn) const {
    for (std::uint64_t at = begin; at < bytes_; at = (at / 64 + 1) * 64) {
      const std::uint64_t word = isIn ? words_.get()[at / 64] : ~words_.get()[at / 64];
      const std::uint64_t rest = word >> (at % 64);
      if (rest != 0) return std::min(bytes_, at + static_cast<std::uint64_t>(std::countr_zero(rest)));
    }
    return bytes_;
  }

 private:
  static std::uint64_t countBits(std::uint64_t word) {
    return static_cast<std::uint64_t>(std::popcount(word));
  }
  std::size_t countWords() const { return static_cast<std::size_t>((bytes_ + 63) / 64); }

  /// Calls f(word, mask) for the words with those bytes.
  template <class F>
  void forEachWord(std::uint64_t begin, std::uint64_t count, const F& f) const {
    const std::uint64_t end = std::min(begin + count, bytes_);
    for (std::uint64_t at = begin; at < end;) {
      const std::uint64_t first = at % 64;
      const std::uint64_t taken = std::min(64 - first, end - at);
      const std::uint64_t ones = taken == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << taken) - 1;
      f(words_.get()[at / 64], ones << first);
      at += taken;
    }
  }

  std::uint64_t bytes_;
  std::unique_ptr<std::uint64_t, void (*)(void*)> words_;
};

/// The bytes of a buffer that are watched in a launch; null sets are not.
struct WatchedBytes {
  ByteSet* written = nullptr;  ///< before the launch, which adds to it
  ByteSet* stored = nullptr;   ///< by this launch
  ByteSet* loaded = nullptr;   ///< by this launch
  bool* isAccessed = nullptr;  ///< with `written`: set by the launch, by any of its threads

  bool isAny() const { return written != nullptr || stored != nullptr; }
};

}  // namespace lanescope
