#pragma once

#include <vector>

#include "app/scene/timeline/timeline_layout.h"

namespace lanescope {

/// What a timeline of one size shows of its steps. It is followed up to a step, once: going on costs the
/// steps passed, going back begins anew.
class TimelineMarks {
 public:
  /// Steps that conflict, or diverge, so near to each other that they are one mark.
  struct Run {
    float start = 0;
    float end = 0;
  };
  struct PhaseRuns {
    std::vector<Run> conflicts;
    std::vector<Run> divergences;
  };
  /// What a bar says, by rising importance: of bars too narrow to stand apart the last is shown.
  enum class Look : std::uint8_t { Runs, Waits, Conflicts };
  /// A stretch of a row in which its warps run alike.
  struct Bar {
    std::uint32_t row = 0;
    float left = 0;
    float right = -1;  ///< below left: none yet
    Look look = Look::Runs;
    float share = 0;  ///< of active lanes

    bool there() const { return right >= left; }
  };

  TimelineMarks() = default;
  TimelineMarks(const Trace& trace, const TimelineLayout& layout, float unit);

  /// Takes in all steps before that one.
  void follow(const Trace& trace, const TimelineLayout& layout, std::uint32_t until);

  const std::vector<PhaseRuns>& phases() const { return phases_; }
  /// In the order in which they end, and those that do not.
  const std::vector<Bar>& bars() const { return bars_; }
  const std::vector<Bar>& open() const { return open_; }

 private:
  void addRun(std::vector<Run>& runs, float from, float to, float join) const;
  void addMarks(const Step& step, float from, float to);
  void addBar(const Step& step, std::uint32_t row, float from, float to, unsigned lanes);

  float unit_ = 1;
  float markHeight_ = 0;
  std::uint32_t next_ = 0;  ///< step
  std::vector<PhaseRuns> phases_;
  std::vector<Bar> bars_;
  std::vector<Bar> open_;  ///< by row
};

/// The height of a mark in the strip of phases.
float markHeightOf(const TimelineLayout& layout);

}  // namespace lanescope
