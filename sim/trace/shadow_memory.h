#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope {

/// Names one lane's part in one warp access: the access's number and the lane. 0: none.
class AccessRef {
 public:
  AccessRef() = default;
  AccessRef(std::uint32_t access, unsigned lane) : packed_(access << 5 | lane) {}
  std::uint32_t access() const { return packed_ >> 5; }
  unsigned lane() const { return packed_ & 31u; }
  explicit operator bool() const { return packed_ != 0; }

  static constexpr std::uint32_t kMaxAccess = (1u << 27) - 1;

 private:
  std::uint32_t packed_ = 0;
};

/// The history of a cell of memory: its bits, the last access that stored to it, one that had stored other
/// bits and raced with the later ones, the last that updated it atomically, its last reader, and one more
/// reader, as far from the last as any seen. Of two readers, at least one is not the thread that writes next.
struct ShadowCell {
  AccessRef writer;
  AccessRef overwritten;
  AccessRef updater;
  AccessRef reader;
  AccessRef otherReader;
  std::uint32_t bits = 0;    ///< its value, once it was accessed
  std::uint32_t before = 0;  ///< that it had before them, if known
  bool isKnown = false;
  bool isBeforeKnown = false;

  void become(std::uint32_t now) {
    if (!isKnown || bits != now) {
      isBeforeKnown = isKnown;
      before = bits;
    }
    bits = now;
    isKnown = true;
  }
};

/// The cells of one memory: words, or bytes once anything narrower than a word was accessed. Pages are
/// created on their first access.
class ShadowMemory {
 public:
  /// `bytes`: the size of the memory it shadows.
  explicit ShadowMemory(std::uint64_t bytes) : pages_((bytes / 4 + kPageCells) / kPageCells) {}

  unsigned cellBytes() const { return 1u << shift_; }

  /// Makes cells as narrow as an access of `bytes`; the history of a word is copied to each of its bytes.
  void fit(unsigned bytes) {
    if (bytes < 4 && shift_ == 2) split();
  }

  ShadowCell& at(std::uint64_t offset) {
    const std::uint64_t cell = offset >> shift_;
    auto& page = pages_[cell / kPageCells];
    if (page == nullptr) page = std::make_unique<Page>();
    return (*page)[cell % kPageCells];
  }

 private:
  static constexpr std::size_t kPageCells = 1024;
  using Page = std::array<ShadowCell, kPageCells>;

  void split() {
    std::vector<std::unique_ptr<Page>> bytes(pages_.size() * 4);
    for (std::size_t p = 0; p < pages_.size(); ++p) {
      if (pages_[p] == nullptr) continue;
      for (std::size_t part = 0; part < 4; ++part) bytes[p * 4 + part] = std::make_unique<Page>();
      for (std::size_t c = 0; c < kPageCells * 4; ++c) {
        ShadowCell& cell = (*bytes[p * 4 + c / kPageCells])[c % kPageCells];
        cell = (*pages_[p])[c / 4];
        cell.bits = cell.bits >> (c % 4 * 8) & 0xffu;
        cell.isBeforeKnown = false;
      }
    }
    pages_ = std::move(bytes);
    shift_ = 0;
  }

  std::vector<std::unique_ptr<Page>> pages_;
  unsigned shift_ = 2;
};

}  // namespace lanescope
