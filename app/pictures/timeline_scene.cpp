#include "app/pictures/timeline_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/pictures/bank_scene.h"
#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/picture_plan.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {

/// The rows of a timeline's warps. Hits: Warp.
void paintTimelineRows(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                       const TimelineLayout& layout, const TimelineMarks& marks);

namespace {

std::vector<float> computeEdges(const Trace& trace, const SceneContext& context, float left, float room) {
  const auto count = static_cast<float>(trace.phases.size());
  const float least = std::min(52 * context.unit, room * 0.8F / std::max(count, 1.0F));
  const float shared = room - least * count;
  const auto total = static_cast<float>(std::max<std::size_t>(trace.steps.size(), 1));
  std::vector<float> edges{left};
  for (const Phase& phase : trace.phases) {
    edges.push_back(edges.back() + least +
                    shared * static_cast<float>(phase.endStep - phase.firstStep) / total);
  }
  for (float& edge : edges) edge = left + (edge - left - context.timelineFrom * room) * context.timelineZoom;
  return edges;
}

}  // namespace

float TimelineLayout::xIn(const Trace& trace, std::uint32_t index, std::uint32_t steps) const {
  const Phase& phase = trace.phases[index];
  const auto length = static_cast<float>(std::max(phase.endStep - phase.firstStep, 1U));
  return edges[index] +
         (edges[index + 1] - edges[index]) * static_cast<float>(steps - phase.firstStep) / length;
}

Rect TimelineLayout::inView(const Rect& rect) const {
  const float from = std::max(rect.x, left);
  return {from, rect.y, std::max(std::min(rect.right(), right) - from, 0.0F), rect.h};
}

int TimelineLayout::rowAt(float y) const {
  if (rows == 0 || y < rowsTop) return -1;
  const auto row = static_cast<int>((y - rowsTop) / rowHeight);
  return row < static_cast<int>(rows) ? row : -1;
}

TimelineLayout layOutTimeline(const Trace& trace, const SceneContext& context, bool hazards) {
  const float unit = context.unit;
  TimelineLayout layout;
  layout.left = 22 * unit;  // the numbers of warps are there
  layout.right = std::max(context.width - 14 * unit, layout.left + 1);
  layout.edges = computeEdges(trace, context, layout.left, layout.right - layout.left);
  const float top = (hazards ? 11 : 2) * unit;
  const float gap = 4 * unit;
  const float full = context.height - top - 2 * unit;
  const float strip = std::min(full, 27 * unit);
  const float room = full - strip - gap;
  if (room < 6 * unit || trace.warps == 0) {
    layout.strip = {0, top, context.width, std::min(full, 36 * unit)};
    return layout;
  }
  layout.strip = {0, top, context.width, strip};
  const auto most = std::max(static_cast<std::uint32_t>(room / (2.6F * unit)), 1U);
  layout.rowWarps = (trace.warps + most - 1) / most;
  layout.rows = (trace.warps + layout.rowWarps - 1) / layout.rowWarps;
  layout.rowHeight = std::min(room / static_cast<float>(layout.rows), 17 * unit);
  layout.rowsTop = top + strip + gap;
  return layout;
}

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

namespace {

using Bar = TimelineMarks::Bar;
using Look = TimelineMarks::Look;

class RowsPainter {
 public:
  RowsPainter(SceneBuilder& out, const Moment& moment, const SceneContext& context,
              const TimelineLayout& layout, const TimelineMarks& marks)
      : out_(out),
        trace_(moment.trace),
        context_(context),
        layout_(layout),
        marks_(marks),
        step_(moment.step()) {}

  void paint() {
    for (std::uint32_t row = 0; row < layout_.rows; ++row) {
      for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) paintCell(row, phase);
    }
    paintBars();
    paintLabels();
  }

 private:
  void paintBar(const Bar& bar) {
    if (!bar.there()) return;
    const float room = layout_.rowHeight * 0.86F;
    const float share = bar.look == Look::Waits ? 0.3F : std::max(bar.share, 0.25F);
    const float height = layout_.rowHeight < out_.u(4) ? room : room * share;
    const ColorRole color = bar.look == Look::Conflicts ? ColorRole::Conflict
                            : bar.look == Look::Waits   ? ColorRole::TextDim
                                                        : ColorRole::LaneActive;
    const Rect shown = layout_.inView(
        {bar.left, top(bar.row) + room - height, std::max(bar.right - bar.left, out_.u(1)), height});
    if (shown.w > 0) out_.fill(shown, color);
  }

  void paintBars() {
    for (const Bar& bar : marks_.bars()) paintBar(bar);
    for (const Bar& bar : marks_.open()) paintBar(bar);
  }

  void paintCell(std::uint32_t row, std::uint32_t phase) {
    const Rect cell = layout_.inView(
        {layout_.edges[phase], top(row), layout_.edges[phase + 1] - layout_.edges[phase], layout_.rowHeight});
    if (cell.w <= 0) return;
    const std::uint32_t first = row * layout_.rowWarps;
    const std::uint32_t last = std::min(first + layout_.rowWarps, trace_.warps) - 1;
    const bool here = step_ && step_->phase == phase && step_->warp >= first && step_->warp <= last;
    const float gap = std::min(layout_.rowHeight * 0.14F, out_.u(1));
    out_.fill({cell.x, cell.y, std::max(cell.w - out_.u(2), 0.0F), cell.h - gap},
              here ? ColorRole::Accent : ColorRole::Cell, 0, here ? 0.28F : 0.6F);
    out_.hit(cell, HitArea::Kind::Warp, first, [&] {
      const std::string who =
          first == last ? fmt::format("warp {}", first) : fmt::format("warps {} to {}", first, last);
      return fmt::format(
          "{}, {}\nA bar is an instruction, as high as the share of its lanes that are active; a low gray "
          "one is the arrival at a barrier.\nClick to go to its step here",
          who, trace_.phases[phase].label);
    });
  }

  void paintLabels() {
    const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Right, 0.72F, 1};
    float last = -1e9F;
    for (std::uint32_t row = 0; row < layout_.rows; ++row) {
      const float y = top(row) + layout_.rowHeight / 2;
      if (y - last < out_.computeSize(style) * 1.05F || y + out_.computeSize(style) / 2 > context_.height)
        continue;
      last = y;
      out_.textWithin(layout_.left - out_.u(2), y, layout_.left - out_.u(2),
                      fmt::format("{}", row * layout_.rowWarps), style);
    }
  }

  float top(std::uint32_t row) const { return layout_.rowsTop + layout_.rowHeight * static_cast<float>(row); }

  SceneBuilder& out_;
  const Trace& trace_;
  const SceneContext& context_;
  const TimelineLayout& layout_;
  const TimelineMarks& marks_;
  std::optional<Step> step_;
};

}  // namespace

void paintTimelineRows(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                       const TimelineLayout& layout, const TimelineMarks& marks) {
  RowsPainter(out, moment, context, layout, marks).paint();
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

  Scene paint(const TimelineNotes& notes) {
    for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) paintPhase(phase);
    if (layout_.rows > 0 && !trace_.phases.empty())
      paintTimelineRows(out_, moment_, context_, layout_, marks_);
    for (const TimelineNotes::Mark& mark : notes.hazards) paintHazard(mark);
    const float x = computeX(layout_, trace_, moment_.cursor.steps);
    const float foot = layout_.rows > 0
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
  void paintHazard(const TimelineNotes::Mark& mark) {
    const float x = computeX(layout_, trace_, mark.step) - out_.u(2);
    if (x < layout_.left - out_.u(4) || x > layout_.right + out_.u(4)) return;
    out_.fill({x - out_.u(1.6F), 0, out_.u(3.2F), out_.u(6)}, ColorRole::Bad, out_.u(1));
    out_.fill({x - out_.u(1.6F), out_.u(7), out_.u(3.2F), out_.u(3.2F)}, ColorRole::Bad, out_.u(1.6F));
    HitArea& hit = out_.hit({x - out_.u(6), 0, out_.u(12), out_.u(11)}, HitArea::Kind::Phase,
                            mark.step == 0 ? 0 : trace_.steps[mark.step - 1].phase, mark.text);
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

Scene timelineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure,
                    const TimelineNotes& notes) {
  return Timeline().scene(moment, context, measure, notes);
}

Scene Timeline::scene(const Moment& moment, const SceneContext& context, const TextMeasure& measure,
                      const TimelineNotes& notes) {
  const Size size{context.width,        context.height,       context.unit,
                  context.timelineZoom, context.timelineFrom, !notes.hazards.empty()};
  if (plan_ != moment.plan || size_ != size) {
    plan_ = moment.plan;
    size_ = size;
    layout_ = layOutTimeline(moment.trace, context, size.hasHazards);
    marks_ = TimelineMarks(moment.trace, layout_, context.unit);
  }
  marks_.syncTo(moment.trace, moment.plan->timeline, layout_,
                context.hidesFuture ? moment.cursor.steps : UINT32_MAX);
  return TimelinePainter(moment, context, measure, layout_, marks_).paint(notes);
}

std::uint32_t timelineStepAt(const Trace& trace, const SceneContext& context, float x) {
  const TimelineLayout layout = layOutTimeline(trace, context, false);
  const std::vector<float>& edges = layout.edges;
  x = std::clamp(x, layout.left, layout.right);
  if (trace.phases.empty() || x <= edges.front()) return 0;
  for (std::size_t index = 0; index < trace.phases.size(); ++index) {
    if (x >= edges[index + 1] || edges[index + 1] <= edges[index]) continue;
    const Phase& phase = trace.phases[index];
    const float share = (x - edges[index]) / (edges[index + 1] - edges[index]);
    const float done = share * static_cast<float>(phase.endStep - phase.firstStep);
    return phase.firstStep + static_cast<std::uint32_t>(std::lround(done));
  }
  return static_cast<std::uint32_t>(trace.steps.size());
}

std::uint32_t timelineCellAt(const Trace& trace, const SceneContext& context, float x, float y,
                             const TimelineNotes& notes) {
  const std::uint32_t under = timelineStepAt(trace, context, x);
  const TimelineLayout layout = layOutTimeline(trace, context, !notes.hazards.empty());
  const int row = layout.rowAt(y);
  if (row < 0 || trace.steps.empty()) return under;
  const auto ofRow = [&](std::uint32_t index) {
    return trace.steps[index].warp / layout.rowWarps == static_cast<std::uint32_t>(row);
  };
  std::uint32_t phase = 0;
  while (phase + 1 < trace.phases.size() && x >= layout.edges[phase + 1]) ++phase;
  std::optional<std::uint32_t> nearest;
  for (std::uint32_t index = trace.phases[phase].firstStep; index < trace.phases[phase].endStep; ++index) {
    if (!ofRow(index)) continue;
    const auto distance = [&](std::uint32_t step) { return step > under ? step - under : under - step; };
    if (!nearest || distance(index + 1) < distance(*nearest)) nearest = index + 1;
  }
  return nearest.value_or(under);
}

float computeTimelineX(const Trace& trace, const SceneContext& context, std::uint32_t steps) {
  return computeX(layOutTimeline(trace, context, false), trace, steps);
}

}  // namespace lanescope
