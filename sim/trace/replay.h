#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// The units in which a trace is stepped. Line: a round (Trace::beginsRound).
enum class Grain : std::uint8_t { Phase, Line, Instruction, Wavefront };

/// A place in a trace: `steps` steps are done. Within the last one, `wavefront` of its wavefronts are
/// (1 to wavefronts; equal to wavefronts when it is complete, which is how seek() leaves it).
struct Cursor {
  std::uint32_t steps = 0;
  std::uint32_t wavefront = 0;
  bool operator==(const Cursor&) const = default;
};

/// Everything that changes while a trace is replayed.
struct ReplayState {
  std::vector<Word> cells;               ///< by cell, shared ones first
  std::vector<VariableValue> variables;  ///< [thread * Trace::variables.size() + variable]
  std::vector<std::int32_t> lastStep;    ///< by warp: index of its last step done, -1: none yet
  std::vector<std::uint32_t> barriers;   ///< by warp: how many barriers of the block it has reached
  Counters counters;                     ///< of the finished steps
  bool operator==(const ReplayState&) const = default;
};

/// Steps through a trace. The cost is that of the changes in the steps passed, in both directions.
class Replay {
 public:
  explicit Replay(std::shared_ptr<const Trace> trace);

  const Trace& trace() const { return *trace_; }
  /// The trace, to keep longer than this object.
  const std::shared_ptr<const Trace>& sharedTrace() const { return trace_; }
  Cursor cursor() const { return cursor_; }
  const ReplayState& state() const { return state_; }

  /// Moves there; past the end means the end.
  void seek(std::uint32_t steps);
  void seek(Cursor cursor);
  /// One grain forward or back; false (and no change) at the end or the start. At phase grain, forward
  /// completes the current phase; back returns to its start, or to the start of the previous one.
  bool forward(Grain grain);
  bool back(Grain grain);

  bool atStart() const { return cursor_.steps == 0; }
  bool atEnd() const;
  /// The finished or current step; nullopt at the start.
  std::optional<Step> currentStep() const;
  /// Index of the phase the cursor is in (the phase of the last step done); 0 at the start.
  std::uint32_t currentPhase() const;

 private:
  void apply(const Step& step, std::uint32_t index);
  void undo(const Step& step);
  void unset(std::uint32_t warp, const VariableSet& set);
  VariableValue& computeValue(std::uint32_t thread, std::uint32_t variable) {
    return state_.variables[std::size_t{thread} * trace_->variables.size() + variable];
  }

  std::shared_ptr<const Trace> trace_;
  Cursor cursor_;
  ReplayState state_;
};

/// The counts that a step adds to the counters of its block.
Counters computeCounters(const Trace& trace, const Step& step);
/// What the machine told counters of it; without what only observers ask for.
Event makeEvent(const Trace& trace, const Step& step);

/// The warps that have reached a barrier of the block which no warp has gone past yet. After that they are
/// ready, even if they have not run yet. Refers to the trace and the state.
class WaitingWarps {
 public:
  WaitingWarps(const Trace& trace, const ReplayState& state);
  bool contains(std::uint32_t warp) const;

 private:
  const Trace& trace_;
  const ReplayState& state_;
  std::uint32_t barrier_ = 0;  ///< its number in the order in which a warp reaches them
  bool isWaitedAt_ = true;
};

/// The reason a lane is not active at the cursor.
enum class LaneState : std::uint8_t { Active, MaskedOff, AtBarrier, Exited, NotStarted, NotThere };
LaneState laneState(const Trace& trace, const ReplayState& state, std::uint32_t warp, std::uint32_t lane);
/// The states of all lanes of a warp.
std::vector<LaneState> laneStates(const Trace& trace, const ReplayState& state, std::uint32_t warp,
                                  const WaitingWarps& waiting);

}  // namespace lanescope
