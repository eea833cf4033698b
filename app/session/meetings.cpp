#include "app/session/meetings.h"

#include <algorithm>

#include "app/session/step_rules.h"

namespace lanescope {
namespace {

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

std::uint32_t Meetings::find(std::uint32_t interval, std::uint32_t cell) const {
  return index_.find(hashOf(interval, cell), [&](std::uint32_t use) {
    return uses_[use].interval == interval && uses_[use].cell == cell;
  });
}

Meetings::Use& Meetings::useOf(std::uint32_t interval, std::uint32_t cell) {
  std::uint32_t use = find(interval, cell);
  if (use == 0) {
    use = uses_.append({interval, cell, {}, {}});
    index_.add(hashOf(interval, cell), use,
               [this](std::uint32_t of) { return hashOf(uses_[of].interval, uses_[of].cell); });
  }
  return uses_[use];
}

std::uint32_t Meetings::intervalOf(const Step& step, std::uint32_t index) const {
  const std::vector<std::uint32_t>& barriers = barriers_[step.warp];
  return static_cast<std::uint32_t>(std::ranges::lower_bound(barriers, index) - barriers.begin());
}

Meetings::Meetings(const Trace& trace) : barriers_(trace.warps) {
  uses_.append(Use{});
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    std::vector<std::uint32_t>& barriers = barriers_[step.warp];
    const auto interval = static_cast<std::uint32_t>(barriers.size());
    if (step.kind == StepKind::BlockBarrier) barriers.push_back(index);
    if (!accessesMemory(step)) continue;
    forEachUse(trace, step, [&](std::uint32_t cell, std::uint32_t thread) {
      Use& use = useOf(interval, cell);
      (writesMemory(step) ? use.writers : use.readers).add(thread);
    });
  }
}

Meeting Meetings::of(const Trace& trace, std::uint32_t index) const {
  const Step step = trace.steps[index];
  Meeting met = Meeting::Nobody;
  if (!accessesMemory(step)) return met;
  const std::uint32_t interval = intervalOf(step, index);
  forEachUse(trace, step, [&](std::uint32_t cell, std::uint32_t thread) {
    const Use& use = uses_[find(interval, cell)];
    const bool otherWrites = use.writers.hasOther(thread);
    const bool others = otherWrites || use.readers.hasOther(thread);
    if (others) met = std::max(met, otherWrites || writesMemory(step) ? Meeting::Writers : Meeting::Readers);
  });
  return met;
}

}  // namespace lanescope
