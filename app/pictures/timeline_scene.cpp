#include "app/pictures/timeline_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/pictures/bank_layout.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/timeline_layout.h"
#include "app/pictures/timeline_rows.h"

namespace lanescope {
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
