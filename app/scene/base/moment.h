#pragma once

#include <memory>
#include <optional>

#include "sim/trace/replay.h"

namespace lanescope {

struct PicturePlan;

/// A trace as it stands at a cursor: what every picture of a run is drawn from. It refers to the
/// trace and the state, and must not outlive them.
struct Moment {
  const Trace& trace;
  const ReplayState& state;
  Cursor cursor;
  std::shared_ptr<const PicturePlan> plan;  ///< of the trace

  /// The step just done or under way; nothing at the start.
  std::optional<Step> step() const;
  /// Index of the phase the cursor is in; 0 at the start.
  std::uint32_t phase() const;
};

/// The other lane whose value an active lane gets in a shuffle, or -1.
int shuffleSource(const Trace& trace, const Step& step, unsigned lane);

/// The moment a replay stands at; `plan`: of its trace.
Moment momentOf(const Replay& replay, std::shared_ptr<const PicturePlan> plan);

}  // namespace lanescope
