#include "app/pictures/timeline_marks.h"

#include <algorithm>
#include <bit>

#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

using Look = TimelineStretch::Look;

Look chooseLook(const Step& step) {
  if (conflicts(step)) return Look::Conflicts;
  return step.kind == StepKind::BlockBarrier ? Look::Waits : Look::Runs;
}

}  // namespace

std::vector<TimelineStretch> planTimeline(const Trace& trace) {
  std::vector<TimelineStretch> stretches;
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    const TimelineStretch one{index,
                              step.phase,
                              step.warp,
                              static_cast<std::uint8_t>(std::popcount(step.active)),
                              chooseLook(step),
                              diverges(step)};
    if (stretches.empty() || !one.isLike(stretches.back())) stretches.push_back(one);
  }
  return stretches;
}

float computeMarkHeight(const TimelineLayout& layout) { return layout.strip.h * 0.19F; }

TimelineMarks::TimelineMarks(const Trace& trace, const TimelineLayout& layout, float unit)
    : unit_(unit), markHeight_(computeMarkHeight(layout)), phases_(trace.phases.size()), open_(layout.rows) {}

void TimelineMarks::addRun(std::vector<Run>& runs, float from, float to, float join) const {
  if (!runs.empty() && from <= std::max(runs.back().end, runs.back().start + join) + unit_)
    runs.back().end = to;
  else
    runs.push_back({from, to});
}

void TimelineMarks::addMarks(const TimelineStretch& steps, float from, float to) {
  PhaseRuns& runs = phases_[steps.phase];
  if (steps.look == Look::Conflicts) addRun(runs.conflicts, from, to, 4 * unit_);
  if (steps.diverges) addRun(runs.divergences, from, to, markHeight_ * 1.3F);
}

void TimelineMarks::addBar(const TimelineStretch& steps, std::uint32_t row, float from, float to, float gap,
                           unsigned lanes) {
  if (steps.active == 0) return;
  Bar next{row, from, to, steps.look, static_cast<float>(steps.active) / static_cast<float>(lanes)};
  next.right = std::max(next.left, next.right - gap);
  Bar& bar = open_[row];
  const bool narrow = bar.there() && next.right - bar.left < 2.5F * unit_;
  const bool same =
      bar.there() && bar.look == next.look && bar.share == next.share && next.left - bar.right < 0.5F * unit_;
  if (narrow || same) {
    bar.right = next.right;
    bar.share = std::max(bar.share, next.share);
    bar.look = std::max(bar.look, next.look);
    return;
  }
  if (bar.there()) bars_.push_back(bar);
  bar = next;
}

// The first steps of a stretch may be too narrow to stand apart from the steps before. Once they do, the
// others only make the mark longer. If steps are wide, each stands apart, and there are few of them.
void TimelineMarks::syncTo(const Trace& trace, const std::vector<TimelineStretch>& stretches,
                           const TimelineLayout& layout, std::uint32_t until) {
  const auto all = static_cast<std::uint32_t>(trace.steps.size());
  until = std::min(until, all);
  if (until < next_) *this = TimelineMarks(trace, layout, unit_);
  const unsigned lanes = trace.launch.machine.warpSize;
  while (next_ < until) {
    const TimelineStretch& steps = stretches[stretch_];
    const std::uint32_t end = stretch_ + 1 < stretches.size() ? stretches[stretch_ + 1].first : all;
    const float from = layout.xIn(trace, steps.phase, next_);
    const float width = layout.xIn(trace, steps.phase, next_ + 1) - from;
    const float gap = width > 6 * unit_ ? unit_ : 0;
    const std::uint32_t row = steps.warp / layout.rowWarps;
    const auto isSettled = [&] {
      if (layout.rows == 0 || steps.active == 0) return true;
      const Bar& bar = open_[row];
      return bar.there() && bar.look == steps.look &&
             bar.share == static_cast<float>(steps.active) / static_cast<float>(lanes);
    };
    const bool isLong = gap == 0 && next_ > steps.first && isSettled();
    next_ = isLong ? std::min(end, until) : next_ + 1;
    const float to = layout.xIn(trace, steps.phase, next_);
    const float left = layout.edges[steps.phase];
    addMarks(steps, from, std::min(to, left + (layout.edges[steps.phase + 1] - left - 2 * unit_)));
    if (layout.rows > 0) addBar(steps, row, from, to, gap, lanes);
    if (next_ == end) ++stretch_;
  }
}

}  // namespace lanescope
