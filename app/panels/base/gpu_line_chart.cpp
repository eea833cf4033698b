#include "app/panels/base/gpu_line_chart.h"

#include <algorithm>

namespace lanescope {

Scene GpuLineChart::draw(const ViewContext& context, LineChart lines, const SceneContext& layout) {
  zoom_.applyTo(lines);
  const LineFrame frame = lineChartFrame(lines, layout, context.measure);
  Scene scene = lineChartScene(lines, layout, context.measure);
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
  return scene;
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
