#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// The use of a step's words by other threads of the block between the barriers before and after it.
enum class OtherUse : std::uint8_t {
  None,    ///< no other thread touches them
  Reads,   ///< others touch them, and all only read
  Writes,  ///< others touch them, and at least one writes
};

/// The threads that touch each word between two barriers of a trace, searched on demand.
class WordUsers {
 public:
  OtherUse of(const Trace& trace, std::uint32_t step);

 private:
  /// The readers or writers of a word: none, one thread, or several.
  class Users {
   public:
    void add(std::uint32_t thread) { who_ = hasOther(thread) ? kMany : thread; }
    bool hasOther(std::uint32_t thread) const { return who_ != kNobody && who_ != thread; }

   private:
    static constexpr std::uint32_t kNobody = UINT32_MAX;
    static constexpr std::uint32_t kMany = UINT32_MAX - 1;
    std::uint32_t who_ = kNobody;
  };
  struct Use {
    Users readers;
    Users writers;
  };

  void findBarriers(const Trace& trace);
  void lookAt(const Trace& trace, std::size_t interval);

  std::vector<std::uint32_t> opened_;  ///< by barrier: the first step after it; empty: not searched yet
  std::optional<std::size_t> interval_;
  std::unordered_map<std::uint32_t, Use> uses_;  ///< by word, in that interval
};

}  // namespace lanescope
