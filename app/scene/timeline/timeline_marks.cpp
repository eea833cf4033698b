#include "app/scene/timeline/timeline_marks.h"

#include <algorithm>
#include <bit>

#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

TimelineMarks::Look lookOf(const Step& step) {
  if (conflicts(step)) return TimelineMarks::Look::Conflicts;
  return step.kind == StepKind::BlockBarrier ? TimelineMarks::Look::Waits : TimelineMarks::Look::Runs;
}

}  // namespace

float markHeightOf(const TimelineLayout& layout) { return layout.strip.h * 0.19F; }

TimelineMarks::TimelineMarks(const Trace& trace, const TimelineLayout& layout, float unit)
    : unit_(unit), markHeight_(markHeightOf(layout)), phases_(trace.phases.size()), open_(layout.rows) {}

void TimelineMarks::addRun(std::vector<Run>& runs, float from, float to, float join) const {
  if (!runs.empty() && from <= std::max(runs.back().end, runs.back().start + join) + unit_)
    runs.back().end = to;
  else
    runs.push_back({from, to});
}

void TimelineMarks::addMarks(const Step& step, float from, float to) {
  PhaseRuns& runs = phases_[step.phase];
  if (conflicts(step)) addRun(runs.conflicts, from, to, 4 * unit_);
  if (diverges(step)) addRun(runs.divergences, from, to, markHeight_ * 1.3F);
}

void TimelineMarks::addBar(const Step& step, std::uint32_t row, float from, float to, unsigned lanes) {
  if (step.active == 0) return;
  Bar next{row, from, to, lookOf(step),
           static_cast<float>(std::popcount(step.active)) / static_cast<float>(lanes)};
  next.right = std::max(next.left, next.right - (to - next.left > 6 * unit_ ? unit_ : 0));
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

void TimelineMarks::follow(const Trace& trace, const TimelineLayout& layout, std::uint32_t until) {
  until = std::min(until, static_cast<std::uint32_t>(trace.steps.size()));
  if (until < next_) *this = TimelineMarks(trace, layout, unit_);
  const unsigned lanes = trace.launch.machine.warpSize;
  for (; next_ < until; ++next_) {
    const Step step = trace.steps[next_];
    if (step.phase >= phases_.size()) continue;
    const float from = layout.xIn(trace, step.phase, next_);
    const float to = layout.xIn(trace, step.phase, next_ + 1);
    const float left = layout.edges[step.phase];
    addMarks(step, from, std::min(to, left + (layout.edges[step.phase + 1] - left - 2 * unit_)));
    if (layout.rows > 0) addBar(step, step.warp / layout.rowWarps, from, to, lanes);
  }
}

}  // namespace lanescope
