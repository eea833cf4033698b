#include "app/session/meetings.h"

#include <algorithm>

#include "app/session/step_rules.h"

namespace lanescope {
namespace {

std::uint64_t keyOf(std::uint32_t interval, std::uint32_t cell) {
  return std::uint64_t{interval} << 32U | cell;
}

/// Calls `use` with each word and thread of a step.
template <class F>
void forEachUse(const Trace& trace, const Step& step, F use) {
  for (const LaneAccess& access : accessesOf(trace, step)) {
    const std::uint32_t words = std::max(1U, access.bytes / 4U);
    const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
    for (std::uint32_t word = 0; word < words; ++word) use(access.cell + word, thread);
  }
}

}  // namespace

void Meetings::Users::add(std::uint32_t thread) {
  isMany = hasOther(thread);
  if (first == UINT32_MAX) first = thread;
}

Meetings::Meetings(const Trace& trace) {
  std::vector<std::uint32_t> passed(trace.warps, 0);
  for (const Step& step : trace.steps) {
    const std::uint32_t interval = passed[step.warp];
    interval_.push_back(interval);
    if (step.kind == StepKind::BlockBarrier) ++passed[step.warp];
    if (!accessesMemory(step)) continue;
    forEachUse(trace, step, [&](std::uint32_t cell, std::uint32_t thread) {
      Use& use = useOf_[keyOf(interval, cell)];
      (writesMemory(step) ? use.writers : use.readers).add(thread);
    });
  }
}

Meeting Meetings::of(const Trace& trace, std::uint32_t index) const {
  const Step& step = trace.steps[index];
  Meeting met = Meeting::Nobody;
  if (!accessesMemory(step)) return met;
  forEachUse(trace, step, [&](std::uint32_t cell, std::uint32_t thread) {
    const Use& use = useOf_.at(keyOf(interval_[index], cell));
    const bool otherWrites = use.writers.hasOther(thread);
    const bool others = otherWrites || use.readers.hasOther(thread);
    if (others) met = std::max(met, otherWrites || writesMemory(step) ? Meeting::Writers : Meeting::Readers);
  });
  return met;
}

}  // namespace lanescope
