#include "app/panels/base/ladder_zoom.h"

#include <algorithm>
#include <cmath>

#include "app/pictures/picture_plan.h"
#include "app/pictures/ladder_plan.h"

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
  }
  generation_ = generation;
  layout.firstColumn = first();
  layout.columnCount = count_;
}

void LadderZoom::zoom(float share, float wheel) {
  const double now = count_ == 0 ? columns_ : count_;
  const double wanted =
      std::clamp(now * std::pow(0.5, wheel), static_cast<double>(kFewest), static_cast<double>(columns_));
  const auto count = static_cast<std::uint32_t>(std::lround(wanted));
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
  firstRow_ = std::lround(std::clamp(first, 0.0, static_cast<double>(rows.all - rows.shown)));
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
  receive(input, scene.width);
}

}  // namespace lanescope
