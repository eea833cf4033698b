#include "app/analysis/word_users.h"

#include <algorithm>

#include "app/analysis/step_rules.h"

namespace lanescope {
namespace {

/// Calls `use` with each word and thread of a step.
template <class F>
void forEachUse(const Trace& trace, const Step& step, F use) {
  for (const LaneAccess& access : laneAccesses(trace, step)) {
    const std::uint32_t words = std::max(1U, access.bytes / 4U);
    const std::uint32_t thread = step.warp * trace.launch.machine.warpSize + access.lane;
    for (std::uint32_t word = 0; word < words; ++word) use(access.cell + word, thread);
  }
}

}  // namespace

/// A barrier opens after the step of the warp that reaches it last.
void WordUsers::findBarriers(const Trace& trace) {
  std::vector<std::uint32_t> passed(trace.warps, 0);
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    if (trace.steps.findKind(index) != StepKind::BlockBarrier) continue;
    const std::uint32_t number = passed[trace.steps[index].warp]++;
    if (number >= opened_.size()) opened_.resize(std::size_t{number} + 1);
    opened_[number] = index + 1;
  }
  opened_.push_back(static_cast<std::uint32_t>(trace.steps.size()));
}

void WordUsers::lookAt(const Trace& trace, std::size_t interval) {
  interval_ = interval;
  uses_.clear();
  for (std::uint32_t index = interval == 0 ? 0 : opened_[interval - 1]; index < opened_[interval]; ++index) {
    const Step step = trace.steps[index];
    if (!accessesMemory(step)) continue;
    forEachUse(trace, step, [&](std::uint32_t cell, std::uint32_t thread) {
      (writesMemory(step) ? uses_[cell].writers : uses_[cell].readers).add(thread);
    });
  }
}

OtherUse WordUsers::of(const Trace& trace, std::uint32_t index) {
  const Step step = trace.steps[index];
  OtherUse found = OtherUse::None;
  if (!accessesMemory(step)) return found;
  if (opened_.empty()) findBarriers(trace);
  const auto interval = static_cast<std::size_t>(std::ranges::upper_bound(opened_, index) - opened_.begin());
  if (interval_ != interval) lookAt(trace, interval);
  forEachUse(trace, step, [&](std::uint32_t cell, std::uint32_t thread) {
    const Use& use = uses_[cell];
    const bool otherWrites = use.writers.hasOther(thread);
    if (!otherWrites && !use.readers.hasOther(thread)) return;
    found = std::max(found, otherWrites || writesMemory(step) ? OtherUse::Writes : OtherUse::Reads);
  });
  return found;
}

}  // namespace lanescope
