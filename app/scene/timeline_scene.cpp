#include "app/scene/timeline_scene.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/scene/bank_layout.h"
#include "app/scene/scene_builder.h"

namespace lanescope {
namespace {

/// Where each phase's cell starts; one more for the end of the last.
std::vector<float> edgesOf(const Trace& trace, const SceneContext& context) {
  const float margin = 14 * context.unit;
  const float room = std::max(context.width - 2 * margin, 1.0F);
  const auto count = static_cast<float>(trace.phases.size());
  const float least = std::min(52 * context.unit, room * 0.8F / std::max(count, 1.0F));
  const float shared = room - least * count;
  const auto total = static_cast<float>(std::max<std::size_t>(trace.steps.size(), 1));
  std::vector<float> edges{margin};
  for (const Phase& phase : trace.phases) {
    edges.push_back(edges.back() + least +
                    shared * static_cast<float>(phase.endStep - phase.firstStep) / total);
  }
  return edges;
}

float xWithin(const Phase& phase, float left, float right, std::uint32_t steps) {
  const auto length = static_cast<float>(std::max(phase.endStep - phase.firstStep, 1U));
  return left + (right - left) * static_cast<float>(steps - phase.firstStep) / length;
}

bool diverges(const Step& step) {
  return step.kind == StepKind::Branch && (step.taken & step.active) != 0 &&
         (step.taken & step.active) != step.active;
}

bool conflicts(const Step& step) { return isShared(step.kind) && step.wavefronts > step.idealWavefronts; }

class TimelinePainter {
 public:
  TimelinePainter(const Moment& moment, const SceneContext& context, const TextMeasure& measure)
      : moment_(moment),
        trace_(moment.trace),
        context_(context),
        out_(context, measure),
        edges_(edgesOf(trace_, context)) {
    const float height = std::min(context.height - out_.u(6), out_.u(36));
    strip_ = {0, (context.height - height) / 2, context.width, height};
  }

  Scene paint() {
    for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) paintPhase(phase);
    const float x = timelineXOf(trace_, context_, moment_.cursor.steps);
    out_.line(x, strip_.y - out_.u(3), x, strip_.bottom() + out_.u(3), ColorRole::Text, out_.u(2.2F));
    return out_.take();
  }

 private:
  void paintPhase(std::uint32_t index);
  template <class Test>
  void paintMarks(const Phase& phase, const Rect& cell, float y, float height, ColorRole color, bool notched,
                  Test test);

  const Moment& moment_;
  const Trace& trace_;
  const SceneContext& context_;
  SceneBuilder out_;
  std::vector<float> edges_;
  Rect strip_;
};

// One mark for every run of steps that pass the test, runs closer than a mark's width joined.
template <class Test>
void TimelinePainter::paintMarks(const Phase& phase, const Rect& cell, float y, float height, ColorRole color,
                                 bool notched, Test test) {
  const float least = out_.u(4);
  float start = -1;
  float end = -1;
  const auto flush = [&] {
    if (start < 0) return;
    const float width = std::min(std::max(end - start, least), cell.right() - start);
    if (notched) {
      out_.triangle({start, y, height * 1.3F, height}, color, true);
      if (width > height * 1.3F) out_.fill({start, y, width, height * 0.4F}, color);
    } else {
      out_.fill({start, y, width, height}, color, std::min(height, width) / 3);
    }
  };
  for (std::uint32_t index = phase.firstStep; index < phase.endStep; ++index) {
    if (!test(trace_.steps[index])) continue;
    const float x = xWithin(phase, cell.x, cell.right(), index);
    const float next = xWithin(phase, cell.x, cell.right(), index + 1);
    if (start >= 0 && x <= std::max(end, start + (notched ? height * 1.3F : least)) + out_.u(1)) {
      end = next;
      continue;
    }
    flush();
    start = x;
    end = next;
  }
  flush();
}

void TimelinePainter::paintPhase(std::uint32_t index) {
  const Phase& phase = trace_.phases[index];
  const Rect cell{edges_[index], strip_.y, edges_[index + 1] - edges_[index] - out_.u(2), strip_.h};
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
  const float marks = cell.h * 0.24F;
  const TextStyle style{current ? FontRole::Bold : FontRole::Body,
                        current ? ColorRole::Text : ColorRole::TextDim, Align::Left, 0.85F, 1};
  const std::string_view label = phase.label;
  const std::string shown(label.starts_with("step size") ? label.substr(5) : label);
  const float room = cell.w - out_.u(12);
  const float labelY = cell.y + (cell.h - marks) / 2;
  if (out_.textWidth(shown, style) <= room || room > out_.u(40)) {
    out_.textWithin(cell.x + out_.u(7), labelY, room, shown, style);
  } else if (phase.stepSize > 0) {
    const std::string size = fmt::format("{}", phase.stepSize);
    if (out_.textWidth(size, style) <= room) out_.text(cell.x + out_.u(6), labelY, size, style);
  }
  const float y = cell.bottom() - marks - out_.u(1);
  paintMarks(phase, cell, y, marks, ColorRole::Conflict, false, conflicts);
  paintMarks(phase, cell, y, marks, ColorRole::LaneActive, true, diverges);
  std::string tip =
      fmt::format("{}\n{}, {}", phase.label, counted(phase.endStep - phase.firstStep, "instruction"),
                  counted(phase.counters.sharedWavefronts(), "shared pass"));
  if (phase.counters.bankConflicts() > 0)
    tip += fmt::format("\n{} beyond the ideal: bank conflicts", phase.counters.bankConflicts());
  if (phase.counters.divergentBranches > 0)
    tip += fmt::format("\n{} divergent", counted(phase.counters.divergentBranches, "branch"));
  out_.hit({edges_[index], 0, edges_[index + 1] - edges_[index], out_.height()}, HitArea::Kind::Phase, index,
           std::move(tip), -1, phase.endStep);
}

}  // namespace

Scene timelineScene(const Moment& moment, const SceneContext& context, const TextMeasure& measure) {
  return TimelinePainter(moment, context, measure).paint();
}

std::uint32_t timelineStepAt(const Trace& trace, const SceneContext& context, float x) {
  const std::vector<float> edges = edgesOf(trace, context);
  if (trace.phases.empty() || x <= edges.front()) return 0;
  for (std::size_t index = 0; index < trace.phases.size(); ++index) {
    if (x >= edges[index + 1]) continue;
    const Phase& phase = trace.phases[index];
    const float share = (x - edges[index]) / (edges[index + 1] - edges[index]);
    const float done = share * static_cast<float>(phase.endStep - phase.firstStep);
    return phase.firstStep + static_cast<std::uint32_t>(std::lround(done));
  }
  return static_cast<std::uint32_t>(trace.steps.size());
}

float timelineXOf(const Trace& trace, const SceneContext& context, std::uint32_t steps) {
  const std::vector<float> edges = edgesOf(trace, context);
  for (std::size_t index = 0; index < trace.phases.size(); ++index) {
    const Phase& phase = trace.phases[index];
    if (steps <= phase.endStep && steps >= phase.firstStep)
      return xWithin(phase, edges[index], edges[index + 1], steps);
  }
  return steps == 0 ? edges.front() : edges.back();
}

}  // namespace lanescope
