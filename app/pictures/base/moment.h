#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "app/pictures/base/scene_builder.h"
#include "sim/trace/replay.h"

namespace lanescope {

struct PicturePlan;

/// A trace as it is at a cursor: the input of every picture of a run. It refers to the trace and the state,
/// and must not outlive them.
struct Moment {
  const Trace& trace;
  const ReplayState& state;
  Cursor cursor;
  std::shared_ptr<const PicturePlan> plan;  ///< of the trace

  /// The last step done, or the one in progress; empty at the start.
  std::optional<Step> step() const;
  /// The fault that ended the block early if the cursor is at it; else nullptr.
  const TraceFault* fault() const;
  /// Index of the phase the cursor is in; 0 at the start.
  std::uint32_t phase() const;
};

/// The words at a moment, in which the writes of the steps from `arrived` on are in flight: the
/// words keep the values that they had before. Refers to the moment.
class WordsSoFar {
 public:
  WordsSoFar(const Moment& moment, std::uint32_t arrived);
  const Word& operator[](std::uint32_t cell) const {
    const auto before = before_.find(cell);
    return before == before_.end() ? moment_.state.cells[cell] : before->second;
  }

 private:
  const Moment& moment_;
  std::unordered_map<std::uint32_t, Word> before_;
};

/// The colour of the words of an access: read, or written (an atomic too).
inline ColorRole accessColor(StepKind kind) { return isWrite(kind) ? ColorRole::Result : ColorRole::Operand; }

/// The lanes whose registers a lane reads in a step, as exchangesRegisters(): the other one of a shuffle, if
/// it is another; all that a reduction joins.
LaneMask lanesRead(const Trace& trace, const Step& step, unsigned lane);

/// The moment that a replay is at; `plan`: of its trace.
Moment makeMoment(const Replay& replay, std::shared_ptr<const PicturePlan> plan);

constexpr float kFaultTag = 18;  ///< units, its height

/// True if the run ends at an array: the tag's room is kept from the start, so that nothing moves when the
/// fault comes. If the future is hidden, false until then.
bool hasFaultTag(const Moment& moment, const SceneContext& context);

/// Names the target of a faulting access, around `y` and as far left as `x` if there is room. Draws nothing
/// if the array is unknown.
/// Hits: Thread, the first at fault, with the fault's sentence.
void paintFaultTag(SceneBuilder& out, const Moment& moment, float x, float y);

}  // namespace lanescope
