#include "sim/trace/replay.h"

#include <algorithm>

#include "sim/memory/machine_model.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

Replay::Replay(std::shared_ptr<const Trace> trace) : trace_(std::move(trace)) {
  state_.cells = trace_->initialCells;
  state_.variables.resize(std::size_t{trace_->threads} * trace_->variables.size());
  state_.lastStep.assign(trace_->warps, -1);
  state_.barriers.assign(trace_->warps, 0);
}

void Replay::apply(const Step& step, std::uint32_t index) {
  for (const CellChange& change : stepChanges(*trace_, step)) state_.cells[change.cell] = change.after;
  forEachChange(*trace_, step, [this](const VariableChange& change) {
    computeValue(change.thread, change.variable) = change.after;
  });
  state_.lastStep[step.warp] = static_cast<std::int32_t>(index);
  if (step.kind == StepKind::BlockBarrier) ++state_.barriers[step.warp];
  state_.counters += computeCounters(*trace_, step);
}

void Replay::undo(const Step& step) {
  // Last change first: lanes may have written one cell one after another.
  const std::span<const CellChange> changes = stepChanges(*trace_, step);
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    state_.cells[change->cell] = change->before;
  forEachSet(*trace_, step, [&](const VariableSet& set) { unset(step.warp, set); });
  state_.lastStep[step.warp] = step.previousOfWarp;
  if (step.kind == StepKind::BlockBarrier) --state_.barriers[step.warp];
  state_.counters -= computeCounters(*trace_, step);
}

// Gives a lane its value from the nearest earlier set again. Going back over a whole trace, a set is read at
// most once per lane.
void Replay::unset(std::uint32_t warp, const VariableSet& set) {
  const std::uint32_t first = warp * trace_->launch.machine.warpSize;
  LaneMask left = set.lanes;
  VariableSet before;
  for (std::uint32_t index = set.previous; left != 0 && index != kNoIndex; index = before.previous) {
    trace_->variableSets.read(index, before);
    forEachLane(left & before.lanes, [&](unsigned lane) {
      const std::size_t entry = before.findKernelEntry(lane);
      computeValue(first + lane, set.variable) = {before.bits[entry], before.from[entry], true};
    });
    left &= ~before.lanes;
  }
  forEachLane(left, [&](unsigned lane) { computeValue(first + lane, set.variable) = {}; });
}

void Replay::seek(std::uint32_t steps) {
  steps = std::min(steps, static_cast<std::uint32_t>(trace_->steps.size()));
  while (cursor_.steps < steps) {
    apply(trace_->steps[cursor_.steps], cursor_.steps);
    ++cursor_.steps;
  }
  while (cursor_.steps > steps) {
    --cursor_.steps;
    undo(trace_->steps[cursor_.steps]);
  }
  cursor_.wavefront = cursor_.steps > 0 ? trace_->steps[cursor_.steps - 1].wavefronts : 0;
}

void Replay::seek(Cursor cursor) {
  seek(cursor.steps);
  if (cursor.wavefront > 0) cursor_.wavefront = std::min(cursor.wavefront, cursor_.wavefront);
}

bool Replay::forward(Grain grain) {
  if (grain == Grain::Wavefront && cursor_.steps > 0 &&
      cursor_.wavefront < trace_->steps[cursor_.steps - 1].wavefronts) {
    ++cursor_.wavefront;
    return true;
  }
  if (atEnd()) return false;
  if (grain == Grain::Phase) {
    seek(trace_->phases[trace_->steps[std::min<std::size_t>(cursor_.steps, trace_->steps.size() - 1)].phase]
             .endStep);
    return true;
  }
  seek(grain == Grain::Line ? trace_->nextRound(cursor_.steps) : cursor_.steps + 1);
  if (grain == Grain::Wavefront && cursor_.wavefront > 1) cursor_.wavefront = 1;
  return true;
}

bool Replay::back(Grain grain) {
  if (grain == Grain::Wavefront && cursor_.wavefront > 1) {
    --cursor_.wavefront;
    return true;
  }
  if (atStart()) return false;
  if (grain == Grain::Phase) {
    seek(trace_->phases[currentPhase()].firstStep);
    return true;
  }
  seek(grain == Grain::Line ? trace_->previousRound(cursor_.steps) : cursor_.steps - 1);
  return true;
}

bool Replay::atEnd() const {
  return cursor_.steps >= trace_->steps.size() &&
         (cursor_.steps == 0 || cursor_.wavefront >= trace_->steps[cursor_.steps - 1].wavefronts);
}

std::optional<Step> Replay::currentStep() const {
  return cursor_.steps == 0 ? std::nullopt : std::optional(trace_->steps[cursor_.steps - 1]);
}

std::uint32_t Replay::currentPhase() const { return cursor_.steps == 0 ? 0 : currentStep()->phase; }

Event makeEvent(const Trace& trace, const Step& step) {
  return {.kind = step.kind,
          .isResultUsed = step.isResultUsed,
          .sharedAtomic = step.sharedAtomic,
          .warpSize = trace.launch.machine.warpSize,
          .active = step.active,
          .taken = step.taken,
          .wavefronts = step.wavefronts,
          .idealWavefronts = step.idealWavefronts,
          .loadWavefronts = step.loadWavefronts,
          .sectors = step.sectors,
          .constantAddresses = countConstantAddresses(trace, step)};
}

Counters computeCounters(const Trace& trace, const Step& step) {
  Counters counters;
  count(counters, makeEvent(trace, step));
  return counters;
}

namespace {

bool endsAtBarrier(const Trace& trace, const ReplayState& state, std::uint32_t warp) {
  const std::int32_t last = state.lastStep[warp];
  return last >= 0 && trace.steps.kindAt(static_cast<std::uint32_t>(last)) == StepKind::BlockBarrier;
}

/// `last`: the warp's last step.
LaneState findState(const Step& last, unsigned lane, bool isAtBarrier) {
  if ((last.exited >> lane & 1U) != 0) return LaneState::Exited;
  if (isAtBarrier) return LaneState::AtBarrier;
  return (last.after >> lane & 1U) != 0 ? LaneState::Active : LaneState::MaskedOff;
}

}  // namespace

WaitingWarps::WaitingWarps(const Trace& trace, const ReplayState& state) : trace_(trace), state_(state) {
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp)
    barrier_ = std::max(barrier_, state.barriers[warp]);
  for (std::uint32_t warp = 0; warp < trace.warps && isWaitedAt_; ++warp)
    isWaitedAt_ = state.barriers[warp] < barrier_ || endsAtBarrier(trace, state, warp);
}

bool WaitingWarps::contains(std::uint32_t warp) const {
  return isWaitedAt_ && state_.barriers[warp] == barrier_ && endsAtBarrier(trace_, state_, warp);
}

std::vector<LaneState> laneStates(const Trace& trace, const ReplayState& state, std::uint32_t warp,
                                  const WaitingWarps& waiting) {
  std::vector<LaneState> states(trace.launch.machine.warpSize, LaneState::NotThere);
  const std::uint32_t lanes = trace.lanesOfWarp(warp);
  const std::int32_t last = state.lastStep[warp];
  const Step step = last < 0 ? Step{} : trace.steps[static_cast<std::size_t>(last)];
  const bool waits = waiting.contains(warp);
  for (unsigned lane = 0; lane < lanes; ++lane)
    states[lane] = last < 0 ? LaneState::NotStarted : findState(step, lane, waits);
  return states;
}

LaneState laneState(const Trace& trace, const ReplayState& state, std::uint32_t warp, std::uint32_t lane) {
  if (lane >= trace.lanesOfWarp(warp)) return LaneState::NotThere;
  return laneStates(trace, state, warp, WaitingWarps(trace, state))[lane];
}

}  // namespace lanescope
