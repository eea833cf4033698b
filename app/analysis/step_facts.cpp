#include "app/analysis/step_facts.h"

#include <algorithm>
#include <bit>

#include "sim/base/words.h"

namespace lanescope {

std::vector<std::uint32_t> listLanes(LaneMask mask) {
  std::vector<std::uint32_t> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(static_cast<std::uint32_t>(std::countr_zero(mask)));
  return lanes;
}

LaneMask allLanes(const Trace& trace, std::uint32_t warp) {
  const std::uint32_t lanes = trace.lanesOfWarp(warp);
  return lanes >= 32 ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}

LaneMask activeBefore(const Trace& trace, const Step& step) {
  if (step.previousOfWarp < 0) return 0;
  const Step before = trace.steps[static_cast<std::size_t>(step.previousOfWarp)];
  return before.after & ~before.exited;
}

namespace {

constexpr std::size_t kMostOfCode = 60;  // bytes

/// Code for use between backticks.
std::string quotedCode(std::string_view text) {
  std::string code = oneLine(text, kMostOfCode);
  std::ranges::replace(code, '`', '\'');
  return code;
}

}  // namespace

std::string machineCodeFor(const Trace& trace, const Step& step) {
  return trace.launch.source == nullptr ? "" : quotedCode(trace.launch.source->slice(step.span));
}

std::string findLine(const Trace& trace, const Step& step) {
  if (trace.launch.source == nullptr) return "";
  const std::string_view line = trace.launch.source->line(step.line);
  return quotedCode(line.substr(0, line.find("//")));
}

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
    if (trace.steps.kindAt(index) != StepKind::BlockBarrier) continue;
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

namespace {

bool isOfStep(const Step& step, const HazardAccess& access) {
  return step.line == access.line && step.span.begin < access.span.end && access.span.begin < step.span.end;
}

}  // namespace

RacePlaces::RacePlaces(const HazardReport& report)
    : isComplete_(report.isComplete && report.omitted == 0 && report.blocksLooked > 0) {
  for (const Hazard& hazard : report.hazards) {
    if (isRace(hazard.kind)) races_.push_back(hazard);
  }
  for (std::size_t index = 0; index < races_.size(); ++index) {
    const Hazard& hazard = races_[index];
    const auto mark = [&](const HazardAccess& access) {
      if (access.step) atStep_.emplace(*access.step, index);
    };
    mark(hazard.access);
    if (hazard.earlier) mark(*hazard.earlier);
  }
}

const Hazard* RacePlaces::at(std::uint32_t step) const {
  const auto found = atStep_.find(step);
  return found == atStep_.end() ? nullptr : &races_[found->second];
}

bool RacePlaces::excludes(const Trace& trace, std::uint32_t index) const {
  const Step step = trace.steps[index];
  if (!isComplete_) return false;
  if (races_.empty()) return true;
  const bool isNamed = std::ranges::any_of(races_, [&](const Hazard& hazard) {
    return isOfStep(step, hazard.access) || (hazard.earlier && isOfStep(step, *hazard.earlier));
  });
  return !isNamed && othersAt(trace, index) != OtherUse::Writes;
}

}  // namespace lanescope
