#include "app/panels/base/zoom.h"

#include <algorithm>
#include <cmath>

#include "app/base/whole.h"
#include "app/pictures/array_scene.h"
#include "app/pictures/picture_plan.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {
namespace {

constexpr std::uint32_t kFewest = 8;
// The bar, in units.
constexpr float kBarWidth = 5;
constexpr float kBarRoom = 12;  ///< around it, in which the pointer finds it
constexpr float kBarEdge = 4;   ///< from the panel's edge
constexpr float kLeastThumb = 16;

/// True if some rows are out of view.
bool hasMore(const RowsInView& rows) { return rows.shown > 0 && rows.shown < rows.all; }

}  // namespace

void LadderZoom::apply(SceneContext& layout, const Replay& replay, const PicturePlan& plan,
                       std::uint64_t generation) {
  if (generation_ != generation || phase_ != replay.currentPhase()) firstRow_ = -1;
  phase_ = static_cast<std::uint32_t>(replay.currentPhase());
  layout.firstRow = firstRow_;
  if (generation_ != generation || columns_ == 0) {
    first_ = count_ = 0;
    columns_ = plan.ladder->columns;
    unfolded_.clear();
  }
  layout.unfolded = unfolded_;
  generation_ = generation;
  layout.firstColumn = first();
  layout.columnCount = count_;
}

void LadderZoom::zoom(float share, float wheel) {
  const double now = count_ == 0 ? columns_ : count_;
  const double wanted =
      std::clamp(now * std::pow(0.5, wheel), static_cast<double>(kFewest), static_cast<double>(columns_));
  const auto count = roundToWhole<std::uint32_t>(wanted);
  first_ = std::clamp(first_ + share * (now - count), 0.0, static_cast<double>(columns_ - count));
  count_ = count == columns_ ? 0 : count;
}

void LadderZoom::receive(const SceneInput& input, float width) {
  const ImGuiIO& io = ImGui::GetIO();
  if (columns_ <= kFewest) return;
  if (input.hovered && io.MouseWheel != 0 && !io.KeyShift)
    zoom(std::clamp(input.local.x / width, 0.0F, 1.0F), io.MouseWheel);
  if (input.held && count_ > 0)
    first_ = std::clamp(first_ - static_cast<double>(io.MouseDelta.x) * count_ / static_cast<double>(width),
                        0.0, static_cast<double>(columns_ - count_));
  if (input.hovered && ImGui::IsMouseDoubleClicked(0)) first_ = count_ = 0;
}

void LadderZoom::moveRows(const RowsInView& rows, double first) {
  firstRow_ = roundToWhole<long>(std::clamp(first, 0.0, static_cast<double>(rows.all - rows.shown)));
}

// Called before the scene's own button: the bar takes the pointer first.
void LadderZoom::handleBar(const ViewContext& context, const Scene& scene) {
  const RowsInView& rows = scene.rows;
  const ImVec2 at = ImGui::GetCursorPos();
  const float top = ImGui::GetCursorScreenPos().y + rows.top;
  const float height = std::max(rows.bottom - rows.top, 1.0F);
  ImGui::SetCursorPos(ImVec2(at.x + scene.width - kBarRoom * context.unit, at.y + rows.top));
  ImGui::InvisibleButton("rows", ImVec2(kBarRoom * context.unit, height));
  isPointedAt_ = ImGui::IsItemHovered() && !context.state.helpOpen;
  const double row =
      static_cast<double>(ImGui::GetIO().MousePos.y - top) * rows.all / static_cast<double>(height);
  if (ImGui::IsItemActivated()) {
    const bool isOnThumb = row >= rows.first && row < rows.first + rows.shown;
    grabbed_ = isOnThumb ? row - rows.first : rows.shown / 2.0;
  }
  isGrabbed_ = ImGui::IsItemActive();
  if (isGrabbed_) moveRows(rows, row - grabbed_);
  if (isPointedAt_ && !isGrabbed_)
    hint(context, "Drag it for other rows (or Shift and the wheel); a step to another phase shows its own");
  ImGui::SetCursorPos(at);
}

void LadderZoom::drawBar(const ViewContext& context, const Scene& scene, ImVec2 origin) const {
  const RowsInView& rows = scene.rows;
  const float unit = context.unit;
  const float right = origin.x + scene.width - kBarEdge * unit;
  const float left = right - kBarWidth * unit;
  const float top = origin.y + rows.top;
  const float height = rows.bottom - rows.top;
  const auto all = static_cast<float>(rows.all);
  const float thumb =
      std::min(std::max(height * static_cast<float>(rows.shown) / all, kLeastThumb * unit), height);
  const float from =
      top + (height - thumb) * static_cast<float>(rows.first) / (all - static_cast<float>(rows.shown));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImVec2(left, top), ImVec2(right, top + height), context.color(ColorRole::Cell),
                     kBarWidth * unit / 2);
  list.AddRectFilled(ImVec2(left, from), ImVec2(right, from + thumb),
                     context.color(isGrabbed_     ? ColorRole::Accent
                                   : isPointedAt_ ? ColorRole::Text
                                                  : ColorRole::TextDim),
                     kBarWidth * unit / 2);
}

void LadderZoom::show(const ViewContext& context, const Scene& scene, const char* id) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const bool hasBar = hasMore(scene.rows);
  if (hasBar) handleBar(context, scene);
  const SceneInput input = showScene(context, scene, id);
  if (hasBar) drawBar(context, scene, origin);
  const ImGuiIO& io = ImGui::GetIO();
  // With Shift, some systems report the wheel as horizontal.
  const float wheel = io.MouseWheel != 0 ? io.MouseWheel : io.MouseWheelH;
  if (hasBar && wheel != 0 && (isPointedAt_ || (input.hovered && io.KeyShift)))
    moveRows(scene.rows,
             static_cast<double>(scene.rows.first) - std::copysign(1.0, static_cast<double>(wheel)));
  if (input.clicked && input.hit != nullptr && input.hit->kind == HitArea::Kind::More &&
      std::erase(unfolded_, input.hit->index) == 0)
    unfolded_.push_back(input.hit->index);
  receive(input, scene.width);
}

namespace {

constexpr double kPerNotch = 1.35;
constexpr double kMovePerNotch = 0.12;  ///< of the part in view
constexpr double kWidestStep = 40;      ///< units
constexpr float kAfterLeaving = 0.3F;   ///< the cursor's position then, as a share of the part in view

}  // namespace

void TimelineZoom::moveTo(double from) { from_ = std::clamp(from, 0.0, 1 - 1 / zoom_); }

void TimelineZoom::apply(SceneContext& layout, const Replay& replay, std::uint64_t generation) {
  if (generation_ != generation) {
    zoom_ = 1;
    from_ = 0;
  }
  generation_ = generation;
  const auto steps = static_cast<double>(replay.trace().steps.size());
  most_ = std::max(1.0, steps * kWidestStep * static_cast<double>(layout.unit) /
                            static_cast<double>(std::max(layout.width, 1.0F)));
  const auto write = [&] {
    layout.timelineZoom = static_cast<float>(zoom_);
    layout.timelineFrom = static_cast<float>(from_);
  };
  write();
  const std::uint32_t now = replay.cursor().steps;
  if (zoom_ > 1 && now != steps_) {
    const TimelineLayout place = layOutTimeline(replay.trace(), layout);
    const float x = computeTimelineX(replay.trace(), layout, now);
    const float room = place.right - place.left;
    if (x < place.left || x > place.right) {
      moveTo(from_ + static_cast<double>((x - place.left) / room - kAfterLeaving) / zoom_);
      write();
    }
  }
  steps_ = now;
}

bool TimelineZoom::receive(const SceneInput& input, const SceneContext& layout) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!input.held) isPanning_ = false;
  if (!input.hovered && !input.held) return false;
  if (ImGui::IsMouseDoubleClicked(0) && zoom_ > 1) {
    zoom_ = 1;
    from_ = 0;
    return true;
  }
  const auto width = static_cast<double>(layout.width);
  // With Shift, some systems report the wheel as horizontal.
  const auto wheel = static_cast<double>(io.MouseWheel != 0 ? io.MouseWheel
                                         : io.KeyShift      ? io.MouseWheelH
                                                            : 0);
  if (wheel != 0 && io.KeyShift) {
    moveTo(from_ - wheel * kMovePerNotch / zoom_);
  } else if (wheel != 0) {
    const double share = std::clamp(static_cast<double>(input.local.x) / width, 0.0, 1.0);
    const double place = from_ + share / zoom_;
    zoom_ = std::clamp(zoom_ * std::pow(kPerNotch, wheel), 1.0, most_);
    moveTo(place - share / zoom_);
  }
  if (input.held && io.KeyShift && ImGui::IsMouseClicked(0)) isPanning_ = true;
  if (isPanning_) moveTo(from_ - static_cast<double>(io.MouseDelta.x) / (width * zoom_));
  return isPanning_;
}

void GpuLineChart::draw(const ViewContext& context, const LineChart& lines, std::uint64_t plan,
                        const SceneContext& layout, Scene& scene) {
  const Key key{plan, layout.width, layout.height, layout.unit, pointerIn(layout), zoom_};
  if (builtFor_ != key) {
    builtFor_ = key;
    LineChart shown = lines;
    zoom_.applyTo(shown);
    frame_ = lineChartFrame(shown, layout, context.measure);
    scene = lineChartScene(shown, layout, context.measure);
  }
  const LineFrame frame = frame_;
  const ImVec2 origin = ImGui::GetCursorPos();
  const SceneInput input = showScene(context, scene, "gpu chart");
  ImGui::SetItemAllowOverlap();
  const ImGuiIO& io = ImGui::GetIO();
  if (input.hovered && io.MouseWheel != 0) zoom_.wheel(frame, input.local.x, input.local.y, io.MouseWheel);
  dragBox(context, frame, input);
  if (input.held && !boxFrom_) zoom_.pan(frame, io.MouseDelta.x, io.MouseDelta.y);
  if (input.hovered && ImGui::IsMouseDoubleClicked(0)) zoom_.reset();
  if (input.hovered && zoom_.isZoomed() && !io.KeyShift) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  if (zoom_.isZoomed()) drawReset(context, ImVec2(origin.x + layout.width, origin.y + layout.height));
}

/// The button that shows everything again, at the chart's lower right corner.
void GpuLineChart::drawReset(const ViewContext& context, ImVec2 corner) {
  const float width = pillWidth(context, "reset");
  const float height = ImGui::GetTextLineHeight() + 4 * context.unit;
  ImGui::SetCursorPos(
      ImVec2(corner.x - width - ImGui::GetStyle().ScrollbarSize, corner.y - height - 2 * context.unit));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(6 * context.unit, 2 * context.unit));
  if (pill(context, "reset", false, width, height)) zoom_.reset();
  ImGui::PopStyleVar();
  hint(
      context,
      "All of it again (also a double click). The wheel zooms, a drag moves, Shift and a drag zoom to a box");
}

/// With Shift, a drag draws a box, and its release zooms into it.
void GpuLineChart::dragBox(const ViewContext& context, const LineFrame& frame, const SceneInput& input) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto inside = [&](ImVec2 at) {
    return ImVec2(std::clamp(at.x, frame.left, frame.right), std::clamp(at.y, frame.top, frame.bottom));
  };
  if (!boxFrom_ && input.held && io.KeyShift && ImGui::IsMouseClicked(0) && !frame.isEmpty())
    boxFrom_ = inside(input.local);
  if (!boxFrom_) return;
  const ImVec2 to = inside(input.local);
  if (!input.held) {
    zoom_.box(frame, boxFrom_->x, boxFrom_->y, to.x, to.y);
    boxFrom_.reset();
    return;
  }
  const ImVec2 origin(io.MousePos.x - input.local.x, io.MousePos.y - input.local.y);
  const ImVec2 low(origin.x + std::min(boxFrom_->x, to.x), origin.y + std::min(boxFrom_->y, to.y));
  const ImVec2 high(origin.x + std::max(boxFrom_->x, to.x), origin.y + std::max(boxFrom_->y, to.y));
  ImDrawList& drawList = *ImGui::GetWindowDrawList();
  drawList.AddRectFilled(low, high, context.color(ColorRole::Accent, 0.15F));
  drawList.AddRect(low, high, context.color(ColorRole::Accent), 0, 0, std::max(1.0F, context.unit));
}

}  // namespace lanescope
