#include "app/scene/timeline_rows.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "app/scene/bank_layout.h"

namespace lanescope {
namespace {

/// What a bar says, by rising importance: of bars too narrow to stand apart the last is shown.
enum class Look : std::uint8_t { Runs, Waits, Conflicts };

struct Bar {
  float left = 0;
  float right = -1;  ///< below left: none yet
  Look look = Look::Runs;
  float share = 0;  ///< of active lanes

  bool there() const { return right >= left; }
};

Look lookOf(const Step& step) {
  if (conflicts(step)) return Look::Conflicts;
  return step.kind == StepKind::BlockBarrier ? Look::Waits : Look::Runs;
}

class RowsPainter {
 public:
  RowsPainter(SceneBuilder& out, const Moment& moment, const SceneContext& context,
              const TimelineLayout& layout)
      : out_(out), moment_(moment), trace_(moment.trace), context_(context), layout_(layout) {}

  void paint();

 private:
  void paintBar(std::uint32_t row, const Bar& bar);
  void paintBars();
  void paintCell(std::uint32_t row, std::uint32_t phase);
  void paintLabels();
  float top(std::uint32_t row) const { return layout_.rowsTop + layout_.rowHeight * static_cast<float>(row); }

  SceneBuilder& out_;
  const Moment& moment_;
  const Trace& trace_;
  const SceneContext& context_;
  const TimelineLayout& layout_;
};

void RowsPainter::paintBar(std::uint32_t row, const Bar& bar) {
  if (!bar.there()) return;
  const float room = layout_.rowHeight * 0.86F;
  const float share = bar.look == Look::Waits ? 0.3F : std::max(bar.share, 0.25F);
  const float height = layout_.rowHeight < out_.u(4) ? room : room * share;
  const ColorRole color = bar.look == Look::Conflicts ? ColorRole::Conflict
                          : bar.look == Look::Waits   ? ColorRole::TextDim
                                                      : ColorRole::LaneActive;
  out_.fill({bar.left, top(row) + room - height, std::max(bar.right - bar.left, out_.u(1)), height}, color);
}

void RowsPainter::paintBars() {
  std::vector<Bar> open(layout_.rows);
  for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) {
    for (std::uint32_t index = trace_.phases[phase].firstStep; index < trace_.phases[phase].endStep;
         ++index) {
      const Step step = trace_.steps[index];
      if (step.active == 0 || (context_.hidesFuture && index >= moment_.cursor.steps)) continue;
      const std::uint32_t row = step.warp / layout_.rowWarps;
      const float right = layout_.xIn(trace_, phase, index + 1);
      Bar next{layout_.xIn(trace_, phase, index), right, lookOf(step),
               static_cast<float>(std::popcount(step.active)) /
                   static_cast<float>(trace_.launch.machine.warpSize)};
      next.right = std::max(next.left, next.right - (right - next.left > out_.u(6) ? out_.u(1) : 0));
      Bar& bar = open[row];
      const bool narrow = bar.there() && next.right - bar.left < out_.u(2.5F);
      const bool same = bar.there() && bar.look == next.look && bar.share == next.share &&
                        next.left - bar.right < out_.u(0.5F);
      if (narrow || same) {
        bar.right = next.right;
        bar.share = std::max(bar.share, next.share);
        bar.look = std::max(bar.look, next.look);
        continue;
      }
      paintBar(row, bar);
      bar = next;
    }
  }
  for (std::uint32_t row = 0; row < layout_.rows; ++row) paintBar(row, open[row]);
}

void RowsPainter::paintCell(std::uint32_t row, std::uint32_t phase) {
  const Rect cell{layout_.edges[phase], top(row), layout_.edges[phase + 1] - layout_.edges[phase],
                  layout_.rowHeight};
  const std::uint32_t first = row * layout_.rowWarps;
  const std::uint32_t last = std::min(first + layout_.rowWarps, trace_.warps) - 1;
  const std::optional<Step> step = moment_.step();
  const bool here = step && moment_.phase() == phase && step->warp >= first && step->warp <= last;
  const float gap = std::min(layout_.rowHeight * 0.14F, out_.u(1));
  out_.fill({cell.x, cell.y, cell.w - out_.u(2), cell.h - gap}, here ? ColorRole::Accent : ColorRole::Cell, 0,
            here ? 0.28F : 0.6F);
  const std::string who =
      first == last ? fmt::format("warp {}", first) : fmt::format("warps {} to {}", first, last);
  out_.hit(cell, HitArea::Kind::Warp, first,
           fmt::format("{}, {}\nClick to go to its step here", who, trace_.phases[phase].label));
}

void RowsPainter::paintLabels() {
  const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Right, 0.72F, 1};
  float last = -1e9F;
  for (std::uint32_t row = 0; row < layout_.rows; ++row) {
    const float y = top(row) + layout_.rowHeight / 2;
    if (y - last < out_.sizeOf(style) * 1.05F || y + out_.sizeOf(style) / 2 > context_.height) continue;
    last = y;
    out_.textWithin(layout_.edges.front() - out_.u(2), y, layout_.edges.front() - out_.u(2),
                    fmt::format("{}", row * layout_.rowWarps), style);
  }
}

void RowsPainter::paint() {
  for (std::uint32_t row = 0; row < layout_.rows; ++row) {
    for (std::uint32_t phase = 0; phase < trace_.phases.size(); ++phase) paintCell(row, phase);
  }
  paintBars();
  paintLabels();
}

}  // namespace

void paintTimelineRows(SceneBuilder& out, const Moment& moment, const SceneContext& context,
                       const TimelineLayout& layout) {
  RowsPainter(out, moment, context, layout).paint();
}

}  // namespace lanescope
