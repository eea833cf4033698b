#include "app/pictures/timeline_scene.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "app/base/whole.h"
#include "app/pictures/bank_scene.h"
#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/timeline_rounds.h"
#include "app/workbench/walk.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// The rows of a timeline's warps. Hits: Warp.
void paintTimelineRows(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                       const TimelineLayout& layout, const TimelineMarks& marks);

namespace {

constexpr std::array<std::string_view, kStepWidths> kNames{"equal steps", "by instructions", "by time"};

}  // namespace

std::string_view stepWidthName(StepWidth width) { return kNames[static_cast<std::size_t>(width)]; }

StepWidth findStepWidth(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<StepWidth>(i);
  }
  return StepWidth::Equal;
}

std::vector<double> computeReach(const Trace& trace, const LineAmounts& amounts) {
  std::map<std::uint32_t, double> steps;
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) ++steps[trace.steps[index].line];
  double all = 0;
  for (auto& [line, count] : steps) {  // becomes the width of one of its steps
    const auto amount = amounts.find(line);
    const double own = line == 0 || amount == amounts.end() ? 0 : amount->second;
    all += own;
    count = own / count;
  }
  if (all <= 0) return {};
  std::vector<double> reach{0};
  reach.reserve(trace.steps.size() + 1);
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index)
    reach.push_back(reach.back() + steps.at(trace.steps[index].line) / all);
  return reach;
}

namespace {

/// `reach`: as TimelineLayout::reach.
std::vector<float> computeEdges(const Trace& trace, const SceneContext& context,
                                std::span<const double> reach, float left, float room) {
  const auto count = static_cast<float>(trace.phases.size());
  const bool isByCost = !reach.empty();  // then widths are in proportion
  const float least = std::min((isByCost ? 2 : 52) * context.unit, room * 0.8F / std::max(count, 1.0F));
  const float shared = room - least * count;
  const auto total = static_cast<float>(std::max<std::size_t>(trace.steps.size(), 1));
  std::vector<float> edges{left};
  for (const Phase& phase : trace.phases) {
    const float share = isByCost ? static_cast<float>(reach[phase.endStep] - reach[phase.firstStep])
                                 : static_cast<float>(phase.endStep - phase.firstStep) / total;
    edges.push_back(edges.back() + least + shared * share);
  }
  for (float& edge : edges) edge = left + (edge - left - context.timelineFrom * room) * context.timelineZoom;
  return edges;
}

}  // namespace

float TimelineLayout::xIn(const Trace& trace, std::uint32_t index, std::uint32_t steps) const {
  const Phase& phase = trace.phases[index];
  const double costs = reach.empty() ? 0 : reach[phase.endStep] - reach[phase.firstStep];
  const auto done = static_cast<double>(steps - phase.firstStep);
  const double share = costs > 0 ? (reach[steps] - reach[phase.firstStep]) / costs
                                 : done / std::max(phase.endStep - phase.firstStep, 1U);
  return edges[index] + (edges[index + 1] - edges[index]) * static_cast<float>(share);
}

Rect TimelineLayout::inView(const Rect& rect) const {
  const float from = std::max(rect.x, left);
  return {from, rect.y, std::max(std::min(rect.right(), right) - from, 0.0F), rect.h};
}

int TimelineLayout::rowAt(float y) const {
  if (rows == 0 || y < rowsTop) return -1;
  const auto row = toWhole<int>((y - rowsTop) / rowHeight);
  return row < static_cast<int>(rows) ? row : -1;
}

std::uint32_t TimelineLayout::phaseAt(float x) const {
  std::uint32_t phase = 0;
  while (phase + 2 < edges.size() && x >= edges[phase + 1]) ++phase;
  return phase;
}

TimelineLayout layOutTimeline(const Trace& trace, const SceneContext& context) {
  const float unit = context.unit;
  TimelineLayout layout;
  if (context.timelineReach.size() == trace.steps.size() + 1) layout.reach = context.timelineReach;
  layout.left = 22 * unit;  // the numbers of warps are there
  layout.right = std::max(context.width - 14 * unit, layout.left + 1);
  layout.edges = computeEdges(trace, context, layout.reach, layout.left, layout.right - layout.left);
  const float top = (context.hasHazards() ? 11 : 2) * unit;
  const float gap = 4 * unit;
  const float full = context.height - top - 2 * unit;
  const float strip = std::min(full, 27 * unit);
  const float room = full - strip - gap;
  if (room < 6 * unit || trace.warps == 0) {
    layout.strip = {0, top, context.width, std::min(full, 36 * unit)};
    return layout;
  }
  layout.strip = {0, top, context.width, strip};
  const auto most = std::max(toWhole<std::uint32_t>(room / (2.6F * unit)), 1U);
  layout.rows = trace.warps <= most ? trace.warps : 1;
  layout.rowWarps = trace.warps / layout.rows;
  layout.rowHeight = std::min(room / static_cast<float>(layout.rows), (layout.isOverlaid() ? 34 : 17) * unit);
  layout.rowsTop = top + strip + gap;
  return layout;
}

namespace {

using Look = TimelineStretch::Look;

}  // namespace

Look TimelineStretch::lookOf(const Step& step) {
  if (conflicts(step)) return Look::Conflicts;
  return step.kind == StepKind::BlockBarrier ? Look::Waits : Look::Runs;
}

std::vector<TimelineStretch> planTimeline(const Trace& trace) {
  std::vector<TimelineStretch> stretches;
  for (std::uint32_t index = 0; index < trace.steps.size(); ++index) {
    const Step step = trace.steps[index];
    const TimelineStretch one{index,
                              step.phase,
                              step.warp,
                              static_cast<std::uint8_t>(std::popcount(step.active)),
                              TimelineStretch::lookOf(step),
                              diverges(step)};
    if (stretches.empty() || !one.isLike(stretches.back())) stretches.push_back(one);
  }
  return stretches;
}

float computeMarkHeight(const TimelineLayout& layout) { return layout.strip.h * 0.19F; }

namespace {

/// One past the last step of a stretch.
std::uint32_t endOf(const Trace& trace, const std::vector<TimelineStretch>& stretches, std::size_t index) {
  const bool isLast = index + 1 == stretches.size();
  return isLast ? static_cast<std::uint32_t>(trace.steps.size()) : stretches[index + 1].first;
}

}  // namespace

TimelineMarks::TimelineMarks(const Trace& trace, const std::vector<TimelineStretch>& stretches,
                             const TimelineLayout& layout, float unit)
    : unit_(unit), markHeight_(computeMarkHeight(layout)), phases_(trace.phases.size()), open_(layout.rows) {
  if (!layout.isSideBySide()) return;
  longest_.resize(trace.phases.size());
  std::vector<double> done(trace.warps);
  for (std::size_t index = 0; index < stretches.size(); ++index) {
    const TimelineStretch& stretch = stretches[index];
    if (index > 0 && stretches[index - 1].phase != stretch.phase) std::ranges::fill(done, 0);
    double& own = done[stretch.warp];
    before_.push_back(own);
    own += layout.amount(endOf(trace, stretches, index)) - layout.amount(stretch.first);
    longest_[stretch.phase] = std::max(longest_[stretch.phase], own);
  }
}

float TimelineMarks::rowX(const Trace& trace, const TimelineLayout& layout, const TimelineStretch& stretch,
                          std::size_t index, std::uint32_t steps) const {
  if (before_.empty()) return layout.xIn(trace, stretch.phase, steps);
  const double done = before_[index] + layout.amount(steps) - layout.amount(stretch.first);
  const double longest = longest_[stretch.phase];
  const double share = longest > 0 ? done / longest : 0;
  const float left = layout.edges[stretch.phase];
  return left + (layout.edges[stretch.phase + 1] - left) * static_cast<float>(share);
}

float TimelineMarks::rowX(const Trace& trace, const std::vector<TimelineStretch>& stretches,
                          const TimelineLayout& layout, std::uint32_t steps) const {
  if (steps == 0 || stretches.empty()) return layout.edges.front();
  const auto next = std::ranges::upper_bound(stretches, steps - 1, {}, &TimelineStretch::first);
  const auto index = static_cast<std::size_t>(next - stretches.begin()) - 1;
  return rowX(trace, layout, stretches[index], index, steps);
}

std::optional<std::uint32_t> TimelineMarks::stepInRow(const Trace& trace,
                                                      const std::vector<TimelineStretch>& stretches,
                                                      const TimelineLayout& layout, std::uint32_t row,
                                                      float x) const {
  const std::uint32_t phase = layout.phaseAt(x);
  const auto first = std::ranges::lower_bound(stretches, phase, {}, &TimelineStretch::phase);
  std::optional<std::uint32_t> found;
  for (auto index = static_cast<std::size_t>(first - stretches.begin());
       index < stretches.size() && stretches[index].phase == phase; ++index) {
    const TimelineStretch& stretch = stretches[index];
    if (stretch.warp != row) continue;
    const std::uint32_t end = endOf(trace, stretches, index);
    found = end;
    for (std::uint32_t step = stretch.first; step < end; ++step) {
      if (rowX(trace, layout, stretch, index, step + 1) > x) return step + 1;
    }
  }
  return found;
}

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

void TimelineMarks::addBar(const TimelineStretch& steps, float from, float to, float gap, unsigned lanes) {
  if (steps.active == 0) return;
  Bar next{steps.warp, from, to, steps.look, static_cast<float>(steps.active) / static_cast<float>(lanes)};
  next.right = std::max(next.left, next.right - gap);
  Bar& bar = open_[steps.warp];
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
  if (until < next_) *this = TimelineMarks(trace, stretches, layout, unit_);
  const unsigned lanes = trace.launch.machine.warpSize;
  while (next_ < until) {
    const TimelineStretch& steps = stretches[stretch_];
    const std::uint32_t end = endOf(trace, stretches, stretch_);
    const float from = layout.xIn(trace, steps.phase, next_);
    const float rowFrom = rowX(trace, layout, steps, stretch_, next_);
    const float width = rowX(trace, layout, steps, stretch_, next_ + 1) - rowFrom;
    const float gap = width > 6 * unit_ ? unit_ : 0;
    const auto isSettled = [&] {
      if (!layout.isSideBySide() || steps.active == 0) return true;
      const Bar& bar = open_[steps.warp];
      return bar.there() && bar.look == steps.look &&
             bar.share == static_cast<float>(steps.active) / static_cast<float>(lanes);
    };
    const bool isLong = gap == 0 && next_ > steps.first && isSettled();
    next_ = isLong ? std::min(end, until) : next_ + 1;
    const float to = layout.xIn(trace, steps.phase, next_);
    const float left = layout.edges[steps.phase];
    addMarks(steps, from, std::min(to, left + (layout.edges[steps.phase + 1] - left - 2 * unit_)));
    if (layout.isSideBySide())
      addBar(steps, rowFrom, rowX(trace, layout, steps, stretch_, next_), gap, lanes);
    if (next_ == end) ++stretch_;
  }
}

namespace {

constexpr float kLeastStepLabel = 0.75F;  ///< of a label's own size

/// The x at which so many steps are done.
float computeX(const TimelineLayout& layout, const Trace& trace, std::uint32_t steps) {
  const auto ends = std::ranges::lower_bound(trace.phases, steps, {}, &Phase::endStep);
  if (ends != trace.phases.end() && steps >= ends->firstStep)
    return layout.xIn(trace, static_cast<std::uint32_t>(ends - trace.phases.begin()), steps);
  return steps == 0 ? layout.edges.front() : layout.edges.back();
}

/// The number of steps of a phase, and of those before it, that end nearest to an x in it.
std::uint32_t nearestStep(const TimelineLayout& layout, const Trace& trace, std::uint32_t index, float x) {
  const Phase& phase = trace.phases[index];
  std::uint32_t low = phase.firstStep;
  std::uint32_t high = phase.endStep;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (layout.xIn(trace, index, middle) <= x ? low : high) = middle;
  }
  return x - layout.xIn(trace, index, low) < layout.xIn(trace, index, high) - x ? low : high;
}

class TimelinePainter {
 public:
  TimelinePainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure,
                  const TimelineLayout& layout, const TimelineMarks& marks)
      : moment_(moment),
        trace_(moment.trace),
        context_(context),
        out_(context, measure),
        layout_(layout),
        marks_(marks) {}

  Scene paint() {
    for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) paintPhase(phase);
    if (layout_.isOverlaid()) paintTimelineRounds(out_, moment_, context_, layout_);
    if (layout_.isSideBySide()) paintTimelineRows(out_, moment_, context_, layout_, marks_);
    if (context_.hasHazards())
      for (const HazardMark& mark : *context_.hazards) paintHazard(mark);
    const float x = computeX(layout_, trace_, moment_.cursor.steps);
    const float foot = layout_.rows > 0 && !layout_.isSideBySide()
                           ? layout_.rowsTop + layout_.rowHeight * static_cast<float>(layout_.rows)
                           : layout_.strip.bottom() + out_.u(2);
    if (x < layout_.left - 0.5F || x > layout_.right + 0.5F) return out_.consume();
    out_.line(x, std::max(layout_.strip.y - out_.u(3), 0.0F), x, foot, ColorRole::Text, out_.u(2.2F));
    return out_.consume();
  }

 private:
  void paintPhase(std::uint32_t index) {
    const Phase& phase = trace_.phases[index];
    const Rect cell =
        layout_.inView({layout_.edges[index], layout_.strip.y,
                        layout_.edges[index + 1] - layout_.edges[index] - out_.u(2), layout_.strip.h});
    if (cell.w <= 0) return;
    const bool current = moment_.cursor.steps > 0 && moment_.phase() == index;
    const bool past = moment_.cursor.steps >= phase.endStep;
    out_.fill(cell,
              current ? ColorRole::Accent
              : past  ? ColorRole::CellOld
                      : ColorRole::Cell,
              out_.u(3),
              current ? 0.35F
              : past  ? 0.55F
                      : 1);
    if (current) out_.stroke(cell, ColorRole::Accent, out_.u(1.3F), out_.u(3));
    // Conflicts and divergence may fall on one place: each has a track of its own.
    const float lane = computeMarkHeight(layout_);
    const float marks = 2 * lane + out_.u(1);
    const TextStyle style{current ? FontRole::Bold : FontRole::Body,
                          current ? ColorRole::Text : ColorRole::TextDim, Align::Left, 0.85F, 1};
    const std::string& shown = moment_.plan->phaseNames[index];
    const float room = cell.w - out_.u(12);
    const float labelY = cell.y + (cell.h - marks) / 2;
    const bool isStep = phase.kind == PhaseKind::Step;
    if (out_.textWidth(shown, style) <= room || (room > out_.u(40) && !isStep)) {
      out_.textWithin(cell.x + out_.u(7), labelY, room, shown, style);
    } else {
      // If there is little room: the whole in smaller letters, the first word, or the size of a step.
      const Rect line{cell.x, labelY - out_.u(9), cell.w, out_.u(18)};
      const std::string first = isStep ? std::to_string(phase.stepSize) : shown.substr(0, shown.find(' '));
      if (!out_.textInside(line, shown, style, kLeastStepLabel))
        out_.textInside(line, first, style, kLeastStepLabel);
    }
    const TimelineMarks::PhaseRuns& runs = marks_.phases()[index];
    paintMarks(runs.conflicts, cell, cell.bottom() - marks - out_.u(1), ColorRole::Conflict, false);
    paintMarks(runs.divergences, cell, cell.bottom() - lane - out_.u(1), ColorRole::Divergence, true);
    const auto tip = [&] { return context_.hidesFuture && !past ? phase.label : makeTip(phase); };
    const Rect area = layout_.inView(
        {layout_.edges[index], 0, layout_.edges[index + 1] - layout_.edges[index], layout_.strip.bottom()});
    out_.hit(area, HitArea::Kind::Phase, index, tip, -1, phase.endStep);
  }

  static std::string makeTip(const Phase& phase) {
    std::string tip =
        fmt::format("{}\n{}, {}", phase.label, counted(phase.endStep - phase.firstStep, "instruction"),
                    counted(phase.counters.sharedWavefronts(), "shared wavefront"));
    if (phase.counters.bankConflicts() > 0)
      tip += "\n" + withCommas(phase.counters.bankConflicts()) + " beyond the ideal: bank conflicts";
    if (phase.counters.divergentBranches > 0)
      tip += "\n" + counted(phase.counters.divergentBranches, "divergent branch");
    return tip;
  }

  // An exclamation mark over the phases, in a place that is empty otherwise.
  void paintHazard(const HazardMark& mark) {
    const float x = computeX(layout_, trace_, mark.step) - out_.u(2);
    if (x < layout_.left - out_.u(4) || x > layout_.right + out_.u(4)) return;
    out_.fill({x - out_.u(1.6F), 0, out_.u(3.2F), out_.u(6)}, ColorRole::Bad, out_.u(1));
    out_.fill({x - out_.u(1.6F), out_.u(7), out_.u(3.2F), out_.u(3.2F)}, ColorRole::Bad, out_.u(1.6F));
    HitArea& hit = out_.hit({x - out_.u(6), 0, out_.u(12), out_.u(11)}, HitArea::Kind::Phase,
                            mark.step == 0 ? 0 : trace_.steps[mark.step - 1].phase, mark.message);
    hit.step = mark.step;
  }

  void paintMarks(const std::vector<TimelineMarks::Run>& runs, const Rect& cell, float y, ColorRole color,
                  bool notched) {
    const float height = computeMarkHeight(layout_);
    for (const TimelineMarks::Run& run : runs) {
      const Rect mark = layout_.inView(
          {run.start, y, std::min(std::max(run.end - run.start, out_.u(4)), cell.right() - run.start),
           height});
      if (mark.w <= 0) continue;
      if (notched) {
        out_.triangle({mark.x, y, height * 1.3F, height}, color, true);
        if (mark.w > height * 1.3F) out_.fill({mark.x, y, mark.w, height * 0.4F}, color);
      } else {
        out_.fill(mark, color, std::min(height, mark.w) / 3);
      }
    }
  }

  const Moment& moment_;
  const Trace& trace_;
  const SceneContext& context_;
  SceneBuilder out_;
  const TimelineLayout& layout_;
  const TimelineMarks& marks_;
};

}  // namespace

Scene timelineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return Timeline().scene(moment, context, measure);
}

Scene Timeline::scene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  const Size size{context.width,        context.height,       context.unit,
                  context.timelineZoom, context.timelineFrom, context.timelineReach.data(),
                  context.hasHazards()};
  if (plan_ != moment.plan || size_ != size) {
    plan_ = moment.plan;
    size_ = size;
    layout_ = layOutTimeline(moment.trace, context);
    marks_ = TimelineMarks(moment.trace, moment.plan->timeline, layout_, context.unit);
  }
  marks_.syncTo(moment.trace, moment.plan->timeline, layout_,
                context.hidesFuture ? moment.cursor.steps : UINT32_MAX);
  return TimelinePainter(moment, context, measure, layout_, marks_).paint();
}

namespace {

std::uint32_t stepUnder(const TimelineLayout& layout, const Trace& trace, float x) {
  x = std::clamp(x, layout.left, layout.right);
  if (trace.phases.empty() || x <= layout.edges.front()) return 0;
  if (x >= layout.edges.back()) return static_cast<std::uint32_t>(trace.steps.size());
  return nearestStep(layout, trace, layout.phaseAt(x), x);
}

}  // namespace

std::uint32_t Timeline::stepAt(const Trace& trace, float x, float y) const {
  const std::uint32_t under = stepUnder(layout_, trace, x);
  const int row = layout_.rowAt(y);
  if (row < 0) return under;
  if (layout_.isOverlaid()) {
    const TimelineRound* const round = roundAt(trace, plan_->rounds, layout_, x);
    return round != nullptr ? round->end : under;
  }
  return marks_.stepInRow(trace, plan_->timeline, layout_, static_cast<std::uint32_t>(row), x)
      .value_or(under);
}

std::uint32_t timelineStepAt(const Trace& trace, const SceneContext& context, float x) {
  return stepUnder(layOutTimeline(trace, context), trace, x);
}

float computeTimelineX(const Trace& trace, const SceneContext& context, std::uint32_t steps) {
  return computeX(layOutTimeline(trace, context), trace, steps);
}

}  // namespace lanescope
