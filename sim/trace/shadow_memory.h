#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/memory/machine_model.h"

namespace lanescope {

/// Finds the loads that are only guesses. A loop around atomicCAS begins with a plain read of the word; the
/// value read does not matter, since the CAS that follows compares it with the current one (CUDA Programming
/// Guide, "Atomic Functions": atomicAdd for double). A load does not race with atomics if some of its
/// executions are followed, in their threads, by an atomicCAS on that word before any other access to it, and
/// the others by no access to it at all, since the value read needed no change (a float's maximum). The same
/// holds for a load followed by a store that it decides on: if a thread finds the old word or another
/// thread's equal value, the word has that value in the end.
class CheckedReads {
 public:
  void blockBegins() { pending_.clear(); }

  /// A thread (its number in the block) accesses a word. `isWanted`: a load that may be a guess; one that
  /// `isRepeatable` may come again without a check, since it had no effect; `checks` tells, for the load at a
  /// pc, if this access is its check.
  template <class Checks>
  void accessed(std::uint64_t address, std::uint32_t thread, std::uint32_t pc, bool isWanted,
                bool isRepeatable, const Checks& checks) {
    if (!isWanted && pending_.empty()) return;
    const ThreadsWord word{address, thread};
    const auto found = pending_.find(word);
    if (found != pending_.end() && found->second == pc && isRepeatable) return;
    if (found != pending_.end()) {
      (checks(found->second) ? guesses_ : unchecked_).insert(found->second);
      pending_.erase(found);
    }
    if (isWanted) pending_.emplace(word, pc);
  }

  /// True if that load was only a guess so far.
  bool areChecked(std::uint32_t pc) const { return guesses_.contains(pc) && !unchecked_.contains(pc); }

 private:
  struct ThreadsWord {
    std::uint64_t address;
    std::uint32_t thread;
    bool operator==(const ThreadsWord&) const = default;
  };
  struct Hash {
    std::size_t operator()(const ThreadsWord& word) const {
      return static_cast<std::size_t>((word.address * 1024 + word.thread) * 0x9e3779b97f4a7c15u);
    }
  };

  std::unordered_map<ThreadsWord, std::uint32_t, Hash> pending_;  ///< the load that waits for its check
  std::unordered_set<std::uint32_t> guesses_;                     ///< loads that were checked
  std::unordered_set<std::uint32_t> unchecked_;  ///< loads followed by another access to the word
};

/// Tracks the accesses of other warps that each warp of a block can rely on through words that they signal
/// with: a volatile store or an atomic behind a fence publishes its warp's accesses before that fence, and
/// the ones published to it, to the warp whose volatile load or atomic finds the word later. A vector clock
/// per warp, over the numbers of accesses.
class Signals {
 public:
  void blockBegins(std::size_t warps) {
    clocks_.assign(warps, Clock(warps, 0));
    unfenced_.assign(warps, Clock(warps, 0));
    signals_.clear();
  }

  /// `fenced` is the number of the first access behind the thread's last fence, 0 without one; `now` is the
  /// signal's number.
  void release(std::uint64_t word, std::size_t warp, std::uint32_t fenced, std::uint32_t now) {
    const auto [signal, isNew] = signals_.try_emplace(word);
    if (isNew) signal->second = {Clock(clocks_.size(), 0), Clock(clocks_.size(), 0)};
    if (fenced != 0) join(signal->second.fenced, clocks_[warp]);
    std::uint32_t& published = signal->second.fenced[warp];
    published = std::max(published, fenced);
    join(signal->second.unfenced, unfenced_[warp]);
    signal->second.unfenced[warp] = now + 1;  // the signal too
  }
  void acquire(std::uint64_t word, std::size_t warp) {
    const auto signal = signals_.find(word);
    if (signal == signals_.end()) return;
    join(clocks_[warp], signal->second.fenced);
    join(unfenced_[warp], signal->second.unfenced);
  }

  /// True if the access of `earlier` was published to the other warp.
  bool isPublished(std::uint32_t access, std::size_t earlier, std::size_t now) const {
    return access < clocks_[now][earlier];
  }
  /// The same, as if there had been a fence before each signal, or for a signal itself.
  bool isSignalled(std::uint32_t access, std::size_t earlier, std::size_t now) const {
    return access < unfenced_[now][earlier];
  }

 private:
  using Clock = std::vector<std::uint32_t>;  ///< by warp: its accesses with lower numbers were published
  struct Signal {
    Clock fenced;
    Clock unfenced;
  };
  static void join(Clock& into, const Clock& other) {
    for (std::size_t w = 0; w < into.size(); ++w) into[w] = std::max(into[w], other[w]);
  }

  std::vector<Clock> clocks_;
  std::vector<Clock> unfenced_;
  std::unordered_map<std::uint64_t, Signal> signals_;
};

/// The order of accesses by a warp's lanes: a vector clock per lane, over the warp's own time. Time advances
/// at every __syncwarp.
class WarpOrder {
 public:
  std::uint32_t time() const { return time_; }

  /// True if the access of `earlier` at `then` comes before the current one of `later`.
  bool isOrdered(unsigned earlier, std::uint32_t then, unsigned later) const {
    return then < known_[later][earlier];
  }

  /// The lanes of `mask` wait for each other: each one's clock covers the clocks of all of them.
  void synchronize(std::uint32_t mask) {
    ++time_;
    std::array<std::uint32_t, kMaxLanes> joined{};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      for (unsigned of = 0; of < kMaxLanes; ++of) joined[of] = std::max(joined[of], known_[lane][of]);
    }
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((mask >> lane & 1u) != 0) joined[lane] = time_;
    }
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((mask >> lane & 1u) != 0) known_[lane] = joined;
    }
  }

 private:
  std::uint32_t time_ = 0;
  std::array<std::array<std::uint32_t, kMaxLanes>, kMaxLanes> known_{};
};

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
  explicit ShadowMemory(std::size_t bytes) : pages_((bytes / 4 + kPageCells) / kPageCells) {}

  unsigned cellBytes() const { return 1u << shift_; }

  /// Makes cells as narrow as an access of `bytes`; the history of a word is copied to each of its bytes.
  void fit(unsigned bytes) {
    if (bytes < 4 && shift_ == 2) split();
  }

  ShadowCell& at(std::uint64_t offset) {
    const auto cell = static_cast<std::size_t>(offset >> shift_);
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
      }
    }
    pages_ = std::move(bytes);
    shift_ = 0;
  }

  std::vector<std::unique_ptr<Page>> pages_;
  unsigned shift_ = 2;
};

}  // namespace lanescope
