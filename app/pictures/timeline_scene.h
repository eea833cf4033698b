#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/cost.h"
#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene.h"
#include "app/pictures/base/scene_builder.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// What makes the width of a step in the timeline. Cycles of a model can be another one.
enum class StepWidth : std::uint8_t {
  Equal,         ///< all steps have one width
  Instructions,  ///< machine instructions
  Time,          ///< measured time
};
inline constexpr std::size_t kStepWidths = 3;

/// As a choice and in files: `equal steps`, `by instructions`, `by time`.
std::string_view stepWidthName(StepWidth width);
/// The one of that name; Equal if there is none.
StepWidth findStepWidth(std::string_view name);

/// The place at which each step begins, and at the end where the last one ends, from 0 to 1: by
/// Cursor::steps. A line's amount is divided among all its steps evenly. Empty if no step's line has any.
std::vector<double> computeReach(const Trace& trace, const LineAmounts& amounts);

/// The position of a timeline's parts.
struct TimelineLayout {
  std::vector<float> edges;         ///< start of each phase's cell, and the end of the last one
  float left = 0, right = 0;        ///< the visible part if zoomed in
  Rect strip;                       ///< the phases
  float rowsTop = 0;                ///< the warps
  float rowHeight = 0;              ///< 0: no room for them
  std::uint32_t rows = 0;           ///< how many
  std::uint32_t rowWarps = 1;       ///< warps that share one: all if there is no room for a row each
  std::span<const double> reach{};  ///< SceneContext::timelineReach

  /// The x of the boundary before step `steps` of a phase.
  float xIn(const Trace& trace, std::uint32_t phase, std::uint32_t steps) const;
  /// The visible part of it; its width is 0 if there is none.
  Rect inView(const Rect& rect) const;
  /// The row under `y`, or -1.
  int rowAt(float y) const;
  /// True if each warp has a row: the rows then show warps side by side, each from its phase's start.
  bool isSideBySide() const { return rows > 0 && rowWarps == 1; }
  /// True if all warps share one row: it shows rounds (timeline_rounds.h).
  bool isOverlaid() const { return rows > 0 && rowWarps > 1; }
  /// The phase at an x; the last one behind its end.
  std::uint32_t phaseAt(float x) const;
  /// What the first `steps` steps of the trace are in the unit of widths: their number, or their cost.
  double amount(std::uint32_t steps) const { return reach.empty() ? steps : reach[steps]; }
};

TimelineLayout layOutTimeline(const Trace& trace, const SceneContext& context);

/// Consecutive steps of a trace that a timeline shows alike: of one warp, with as many lanes.
struct TimelineStretch {
  /// The meaning of a bar, by rising importance: of bars too narrow to stand apart the last is shown.
  enum class Look : std::uint8_t { Runs, Waits, Conflicts };
  static Look lookOf(const Step& step);

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
  TimelineMarks(const Trace& trace, const std::vector<TimelineStretch>& stretches,
                const TimelineLayout& layout, float unit);

  /// Takes in all steps before that one.
  void syncTo(const Trace& trace, const std::vector<TimelineStretch>& stretches, const TimelineLayout& layout,
              std::uint32_t until);

  const std::vector<PhaseRuns>& phases() const { return phases_; }
  /// Bars in the order in which they end, then the open ones.
  const std::vector<Bar>& bars() const { return bars_; }
  const std::vector<Bar>& open() const { return open_; }

  /// The x in a row at which `steps` steps of the trace are done, the last of them of that row's warp: that
  /// of TimelineLayout::xIn() unless the rows are side by side.
  float rowX(const Trace& trace, const std::vector<TimelineStretch>& stretches, const TimelineLayout& layout,
             std::uint32_t steps) const;
  /// As Cursor::steps: the step at an x in a row, the phase's last one behind its end. Empty if the row's
  /// warp has no step in that phase. Rows are side by side.
  std::optional<std::uint32_t> stepInRow(const Trace& trace, const std::vector<TimelineStretch>& stretches,
                                         const TimelineLayout& layout, std::uint32_t row, float x) const;

 private:
  float rowX(const Trace& trace, const TimelineLayout& layout, const TimelineStretch& stretch,
             std::size_t index, std::uint32_t steps) const;
  void addRun(std::vector<Run>& runs, float from, float to, float join) const;
  void addMarks(const TimelineStretch& steps, float from, float to);
  void addBar(const TimelineStretch& steps, float from, float to, float gap, unsigned lanes);

  float unit_ = 1;
  float markHeight_ = 0;
  std::uint32_t next_ = 0;   ///< step,
  std::size_t stretch_ = 0;  ///< and its stretch
  std::vector<PhaseRuns> phases_;
  std::vector<Bar> bars_;
  std::vector<Bar> open_;        ///< by row
  std::vector<double> before_;   ///< by stretch: the amount that its warp has done in the phase before it
  std::vector<double> longest_;  ///< by phase: the amount of the warp that does most
};

/// The height of a mark in the strip of phases.
float computeMarkHeight(const TimelineLayout& layout);

/// All phases in a row, as wide as their number of steps (none too narrow to be pointed at), or as
/// SceneContext::timelineReach says, with marks for bank conflicts and divergence, SceneContext::hazards over
/// them, and the play head. Under it, if there is room, is a row for each warp with a bar for each stretch
/// that it runs: as high as its share of active lanes, in the colour of conflicts if it has one, or in that
/// of waiting at a barrier. All of them begin a phase together: only the strip of phases has the order in
/// which the simulator runs them. The warp of the cursor is bright, with a head of its own. If there are more
/// warps than rows have room, one row has a column for each round (timeline_rounds.h).
/// SceneContext::timelineZoom shows a part of it. While its size stays the same, the plan's stretches of
/// steps are visited only once. Hits: Phase (index: phase; step: the step that completes it), Warp (index:
/// the row's warp).
class Timeline {
 public:
  Scene scene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);
  /// In the last scene, as Cursor::steps: the step at `x` that the warp of the row under `y` executes, or the
  /// end of the round there; if there is no row, the step under `x` in the order of the trace.
  std::uint32_t stepAt(const Trace& trace, float x, float y) const;

 private:
  struct Size {
    float width = 0, height = 0, unit = 0, zoom = 1, from = 0;
    const double* reach = nullptr;
    bool hasHazards = false;
    bool operator==(const Size&) const = default;
  };
  std::shared_ptr<const PicturePlan> plan_;  ///< of the trace that is laid out
  Size size_;
  TimelineLayout layout_;
  TimelineMarks marks_;
};
/// The same timeline, for a single use.
Scene timelineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure);

/// The step (as Cursor::steps) under `x` in that scene, for scrubbing; clamped to the trace.
std::uint32_t timelineStepAt(const Trace& trace, const SceneContext& context, float x);
/// The x of the play head with that many steps done.
float computeTimelineX(const Trace& trace, const SceneContext& context, std::uint32_t steps);

}  // namespace lanescope
