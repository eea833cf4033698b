#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// How a step's words are used by other threads of the block between the barriers before and after it.
enum class Meeting : std::uint8_t {
  Nobody,   ///< no other thread touches them
  Readers,  ///< others touch them, and all only read
  Writers,  ///< others touch them, and somebody writes
};

/// Which threads touch which words between two barriers, over a whole trace.
class Meetings {
 public:
  Meetings() = default;
  explicit Meetings(const Trace& trace);

  Meeting of(const Trace& trace, std::uint32_t step) const;

 private:
  /// Who reads or writes a word: one thread, or several.
  struct Users {
    std::uint32_t first = UINT32_MAX;
    bool isMany = false;
    void add(std::uint32_t thread);
    bool hasOther(std::uint32_t thread) const { return isMany || (first != UINT32_MAX && first != thread); }
  };
  struct Use {
    Users readers;
    Users writers;
  };

  std::vector<std::uint32_t> interval_;           ///< by step: barriers that its warp has passed
  std::unordered_map<std::uint64_t, Use> useOf_;  ///< by interval and cell
};

}  // namespace lanescope
