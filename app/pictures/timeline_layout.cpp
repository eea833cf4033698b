#include "app/pictures/timeline_layout.h"

#include <algorithm>

namespace lanescope {
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

}  // namespace lanescope
