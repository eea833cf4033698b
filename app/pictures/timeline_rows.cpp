#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/pictures/base/moment.h"
#include "app/pictures/base/scene_builder.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/timeline_rounds.h"
#include "app/pictures/timeline_scene.h"

// The rows of a timeline, one for each warp.
namespace lanescope {
namespace {

using Bar = TimelineMarks::Bar;
using Look = TimelineMarks::Look;

class RowsPainter {
 public:
  RowsPainter(SceneBuilder& out, const Moment& moment, const SceneContext& context,
              const TimelineLayout& layout, const TimelineMarks& marks)
      : out_(out),
        moment_(moment),
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
    if (step_) paintHead(step_->warp);
    paintLabels();
  }

 private:
  /// The place of the cursor's warp in its row.
  void paintHead(std::uint32_t row) {
    const float x = marks_.rowX(trace_, moment_.plan->timeline, layout_, moment_.cursor.steps);
    if (x < layout_.left - 0.5F || x > layout_.right + 0.5F) return;
    out_.line(x, top(row) - out_.u(1), x, top(row) + layout_.rowHeight, ColorRole::Text, out_.u(2.2F));
  }

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
    const bool isOther = step_ && bar.row != step_->warp;
    if (shown.w > 0) out_.fill(shown, color, 0, isOther ? 0.65F : 1);
  }

  void paintBars() {
    for (const Bar& bar : marks_.bars()) paintBar(bar);
    for (const Bar& bar : marks_.open()) paintBar(bar);
  }

  void paintCell(std::uint32_t row, std::uint32_t phase) {
    const Rect cell = layout_.inView(
        {layout_.edges[phase], top(row), layout_.edges[phase + 1] - layout_.edges[phase], layout_.rowHeight});
    if (cell.w <= 0) return;
    const bool here = step_ && step_->phase == phase && step_->warp == row;
    const float gap = std::min(layout_.rowHeight * 0.14F, out_.u(1));
    out_.fill({cell.x, cell.y, std::max(cell.w - out_.u(2), 0.0F), cell.h - gap},
              here ? ColorRole::Accent : ColorRole::Cell, 0, here ? 0.28F : 0.6F);
    out_.hit(cell, HitArea::Kind::Warp, row, [&] {
      return fmt::format(
          "warp {}, {}{}\nA bar is an instruction, as high as the share of its lanes that are active; a low "
          "gray "
          "one is the arrival at a barrier.\nWarps begin a phase together; the simulator walks through them "
          "in "
          "an order of its own\nClick to go to its step here",
          row, trace_.phases[phase].label, lineUnderPointer(row));
    });
  }

  /// `\nline 11: if (tid % (2 * k) == 0) {`, of the bar under the pointer; empty if that is unknown.
  std::string lineUnderPointer(std::uint32_t warp) const {
    if (!context_.pointer || context_.hidesFuture) return {};
    const auto steps = marks_.stepInRow(trace_, moment_.plan->timeline, layout_, warp, context_.pointer->x);
    return steps ? quoteLine(trace_, *steps - 1) : std::string();
  }

  void paintLabels() {
    const TextStyle style{FontRole::Small, ColorRole::TextDim, Align::Right, 0.72F, 1};
    float last = -1e9F;
    for (std::uint32_t row = 0; row < layout_.rows; ++row) {
      const float y = top(row) + layout_.rowHeight / 2;
      if (y - last < out_.computeSize(style) * 1.05F || y + out_.computeSize(style) / 2 > context_.height)
        continue;
      last = y;
      out_.textWithin(layout_.left - out_.u(2), y, layout_.left - out_.u(2), fmt::format("{}", row), style);
    }
  }

  float top(std::uint32_t row) const { return layout_.rowsTop + layout_.rowHeight * static_cast<float>(row); }

  SceneBuilder& out_;
  const Moment& moment_;
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

}  // namespace lanescope
