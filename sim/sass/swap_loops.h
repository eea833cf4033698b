#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/machine/compile/loops.h"
#include "sim/machine/run/observer.h"

namespace lanescope {

/// The loops of a text that an atomicCAS in them continues or ends. If another warp updates its word, the
/// number of iterations depends on which warp comes first.
class SwapLoops {
 public:
  explicit SwapLoops(const Bytecode& code);

  /// An access of the instruction at `pc`, by a warp that has that number in the whole launch.
  void accessed(std::uint32_t pc, std::uint64_t warp, const Event& event);
  /// Shared memory's words are another block's from here on.
  void blockEnds() { shared_.clear(); }
  /// True if the instruction is in such a loop and several warps updated one of its words.
  bool isContended(std::uint32_t pc) const;

 private:
  struct SwapLoop {
    std::uint32_t swap = 0;  ///< the instruction
    Loop loop;
    bool isContended = false;
  };
  /// A word that was updated.
  struct Word {
    std::uint64_t warp = 0;  ///< the first to do so
    bool isOfSeveral = false;
    std::vector<std::size_t> loops{};  ///< that swap it
  };

  std::vector<SwapLoop> loops_;
  std::unordered_map<std::uint64_t, Word> shared_, global_;  ///< by address
};

}  // namespace lanescope
