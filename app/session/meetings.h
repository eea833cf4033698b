#pragma once

#include <cstdint>
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
  /// Who reads or writes a word: nobody, one thread, or several.
  class Users {
   public:
    void add(std::uint32_t thread) { who_ = hasOther(thread) ? kMany : thread; }
    bool hasOther(std::uint32_t thread) const { return who_ != kNobody && who_ != thread; }

   private:
    static constexpr std::uint32_t kNobody = UINT32_MAX;
    static constexpr std::uint32_t kMany = UINT32_MAX - 1;
    std::uint32_t who_ = kNobody;
  };
  /// A word between two barriers.
  struct Use {
    std::uint32_t interval = 0;  ///< barriers that the warps have passed
    std::uint32_t cell = 0;
    Users readers;
    Users writers;
  };

  std::uint32_t find(std::uint32_t interval, std::uint32_t cell) const;
  Use& useOf(std::uint32_t interval, std::uint32_t cell);
  std::uint32_t intervalOf(const Step& step, std::uint32_t index) const;

  std::vector<std::vector<std::uint32_t>> barriers_;  ///< by warp: its steps that are block barriers
  Pages<Use> uses_;                                   ///< from 1 on
  NodeIndex index_;
};

}  // namespace lanescope
