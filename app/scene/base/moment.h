#pragma once

#include <memory>
#include <optional>

#include "sim/trace/replay.h"

namespace lanescope {

struct PicturePlan;

/// A trace as it is at a cursor: what every picture of a run is drawn from. It refers to the
/// trace and the state, and must not outlive them.
struct Moment {
  const Trace& trace;
  const ReplayState& state;
  Cursor cursor;
  std::shared_ptr<const PicturePlan> plan;  ///< of the trace

  /// The step just done or under way; nothing at the start.
  std::optional<Step> step() const;
  /// What ended the block early, where the moment is that; else nullptr.
  const TraceFault* fault() const;
  /// Index of the phase the cursor is in; 0 at the start.
  std::uint32_t phase() const;
};

/// The other lane whose value an active lane gets in a shuffle, or -1.
int shuffleSource(const Trace& trace, const Step& step, unsigned lane);

/// The moment that a replay is at; `plan`: of its trace.
Moment momentOf(const Replay& replay, std::shared_ptr<const PicturePlan> plan);

}  // namespace lanescope
