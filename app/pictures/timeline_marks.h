#pragma once

#include <vector>

#include "app/pictures/timeline_layout.h"

namespace lanescope {

/// Consecutive steps of a trace that a timeline shows alike: of one warp, with as many lanes.
struct TimelineStretch {
  /// The meaning of a bar, by rising importance: of bars too narrow to stand apart the last is shown.
  enum class Look : std::uint8_t { Runs, Waits, Conflicts };

  std::uint32_t first = 0;
  std::uint32_t phase = 0;
  std::uint16_t warp = 0;
  std::uint8_t active = 0;  ///< lanes
  Look look = Look::Runs;
  bool diverges = false;

  bool isLike(const TimelineStretch& other) const {
    return phase == other.phase && warp == other.warp && active == other.active && look == other.look &&
           diverges == other.diverges;
  }
};
/// All steps, so that a timeline of another size does not have to visit them.
std::vector<TimelineStretch> planTimeline(const Trace& trace);

/// The bars and marks that a timeline of one size shows. It follows the steps up to the cursor: moving
/// forward costs the stretches passed, moving back starts again.
class TimelineMarks {
 public:
  using Look = TimelineStretch::Look;
  /// Steps that conflict, or diverge, so near to each other that they are one mark.
  struct Run {
    float start = 0;
    float end = 0;
  };
  struct PhaseRuns {
    std::vector<Run> conflicts;
    std::vector<Run> divergences;
  };
  /// A part of a row in which its warps run alike.
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
  void syncTo(const Trace& trace, const std::vector<TimelineStretch>& stretches, const TimelineLayout& layout,
              std::uint32_t until);

  const std::vector<PhaseRuns>& phases() const { return phases_; }
  /// Bars in the order in which they end, then the open ones.
  const std::vector<Bar>& bars() const { return bars_; }
  const std::vector<Bar>& open() const { return open_; }

 private:
  void addRun(std::vector<Run>& runs, float from, float to, float join) const;
  void addMarks(const TimelineStretch& steps, float from, float to);
  void addBar(const TimelineStretch& steps, std::uint32_t row, float from, float to, float gap,
              unsigned lanes);

  float unit_ = 1;
  float markHeight_ = 0;
  std::uint32_t next_ = 0;   ///< step,
  std::size_t stretch_ = 0;  ///< and its stretch
  std::vector<PhaseRuns> phases_;
  std::vector<Bar> bars_;
  std::vector<Bar> open_;  ///< by row
};

/// The height of a mark in the strip of phases.
float computeMarkHeight(const TimelineLayout& layout);

}  // namespace lanescope
