#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/analysis/step_facts.h"
#include "app/workbench/walk.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"

namespace lanescope {

/// Playback speeds, in multiples of the grain's own pace.
inline constexpr std::array<double, 7> kSpeeds{0.25, 0.5, 1, 2, 4, 8, 16};

/// The shown trace, the cursor in it, and the clock that plays it.
class Player {
 public:
  /// Shows the run's trace, from its last step if that failed, else from `start`; nullopt: from
  /// openingStep().
  void show(const Run& run, std::optional<Cursor> start);
  /// Shows no trace.
  void clear();

  /// The trace and the place in it, or nullptr before the first.
  const Replay* replay() const { return replay_ ? &*replay_ : nullptr; }
  /// The place that the moving pictures show: the current one; during a step back the place before it, since
  /// the clock runs that move backwards.
  const Replay* pictured() const {
    return left_ && motion_.moving() && motion_.isBack() ? &*left_ : replay();
  }
  /// Counts the traces shown so far: a new number means a new trace.
  std::uint64_t generation() const { return generation_; }

  Grain grain() const { return grain_; }
  void setGrain(Grain grain) { grain_ = grain; }
  bool playing() const { return playing_; }
  double speed() const { return speed_; }
  /// A speed from the first to the last of kSpeeds.
  void setSpeed(double speed);
  /// The next speed up or down of kSpeeds.
  void changeSpeed(int direction);

  /// Plays or pauses; at the end it starts over.
  void togglePlay();
  void pause();
  /// One grain forward or back; they pause. False at the end or the start. By phase each of
  /// findPhaseStops() is one.
  bool forward() { return step(grain_, true); }
  bool back() { return step(grain_, false); }
  bool step(Grain grain, bool forward);
  void toStart() { seek(0); }
  void toEnd();
  /// Goes there and pauses; past the end means the end.
  void seek(std::uint32_t steps) { seek(Cursor{steps, 0}); }
  /// The same, to one of the last step's wavefronts; wavefront 0: all of them.
  void seek(Cursor cursor);

  /// Breakpoints. Playing pauses at them.
  const Stops& stops() const { return stops_; }
  Stops& stops() { return stops_; }
  /// The places of conflicts, divergence, hazards and barriers in the trace.
  const TraceEvents& events() const { return events_; }
  /// What the last move stopped at if it was by phase; else None.
  PhaseMoment phaseMoment() const {
    return replay_ && cameByPhase_ ? phaseStops_.momentAt(replay_->cursor().steps) : PhaseMoment::None;
  }
  /// The hazards found in the trace, by step.
  const std::vector<HazardMark>& hazards() const { return hazards_; }
  /// The races of the trace by step, for questions about them; nullptr if there is no trace.
  const std::shared_ptr<const RacePlaces>& races() const { return races_; }
  /// Continues (or goes back) to the nearest breakpoint; if there is none, to the end (or the start). False
  /// if the cursor did not move.
  bool runToStop(bool forward);
  /// Goes to the next (or the last) place of that kind; false, and no change, if there is none.
  bool runTo(StopKind kind, bool forward);
  /// Goes to the first place of that kind in the trace.
  bool runToFirst(StopKind kind);

  /// The picture's motion between the previous state and the current one: single steps, both ways. A jump is
  /// instant.
  const Motion& motion() const { return motion_; }
  Motion& motion() { return motion_; }

  /// Moves the clocks on; true when the cursor moved. At the end it pauses.
  bool advance(double seconds);
  /// Seconds until the clock moves the cursor; nullopt while it is paused.
  std::optional<double> secondsToNextStep() const;

 private:
  double interval() const;
  bool move(Grain grain, bool forward);
  bool stepForward();
  bool stepBack(Grain grain);
  void beginMotion(Cursor before);
  bool goTo(std::optional<std::uint32_t> place);

  std::optional<Replay> replay_;
  std::optional<Replay> left_;  ///< the start of the last step back
  std::uint64_t generation_ = 0;
  Stops stops_;
  Motion motion_;
  std::vector<HazardMark> hazards_;
  std::shared_ptr<const RacePlaces> races_;
  TraceEvents events_;
  PhaseStops phaseStops_;
  Grain grain_ = Grain::Line;
  bool cameByPhase_ = false;
  bool playing_ = false;
  double speed_ = 1;
  double elapsed_ = 0;
};

}  // namespace lanescope
