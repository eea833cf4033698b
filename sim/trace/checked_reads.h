#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

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

}  // namespace lanescope
