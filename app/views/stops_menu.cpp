#include "app/views/stops_menu.h"

#include <array>
#include <cmath>
#include <string>

#include "app/views/notice.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

struct Condition {
  StopKind kind;
  const char* name;
  const char* keys;
};

constexpr std::array<Condition, kStopKinds> kConditions{{
    {StopKind::Conflict, "bank conflict", "C"},
    {StopKind::Divergence, "divergence", "D"},
    {StopKind::Hazard, "hazard", "H"},
    {StopKind::Barrier, "barrier", "B"},
}};

/// A button with two triangles to a bar: run until something.
bool runButton(const ViewContext& context, const char* id, bool forward, float height, const char* tip) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = height * 1.25F;
  const bool pressed = pill(context, id, false, width, height);
  const ImVec2 centre(at.x + width / 2, at.y + height / 2);
  const float r = height * 0.19F;
  const float way = forward ? 1.0F : -1.0F;
  const ImU32 color = context.color(ColorRole::Text);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const float shift : {-1.5F, 0.0F}) {
    const float x = centre.x + way * r * shift;
    list.AddTriangleFilled(ImVec2(x + way * 1.3F * r, centre.y), ImVec2(x, centre.y - r),
                           ImVec2(x, centre.y + r), color);
  }
  list.AddCircleFilled(ImVec2(centre.x + way * 2.2F * r, centre.y), r * 0.6F, context.color(ColorRole::Bad));
  hint(context, tip);
  ImGui::SameLine();
  return pressed;
}

void conditionRow(const ViewContext& context, const Condition& condition, float column) {
  Session& session = context.session();
  const std::size_t count = session.events().of(condition.kind).size();
  ImGui::PushID(condition.name);
  bool armed = session.stops().has(condition.kind);
  if (ImGui::Checkbox(condition.name, &armed)) session.stops().toggle(condition.kind);
  hint(context, "Stop there when playing and running");
  ImGui::SameLine(column);
  label(context, count == 0 ? "none" : std::to_string(count), ColorRole::TextDim);
  const float height = ImGui::GetFrameHeight();
  ImGui::BeginDisabled(count == 0);
  ImGui::SameLine(column + 52 * context.unit);
  if (pill(context, "first", false, pillWidth(context, "first"), height)) session.runToFirst(condition.kind);
  ImGui::SameLine();
  if (pill(context, "last", false, pillWidth(context, "last"), height))
    runToKind(context.state, condition.kind, false);
  hint(context, ("The one before (Shift+" + std::string(condition.keys) + ")").c_str());
  ImGui::SameLine();
  if (pill(context, "next", false, pillWidth(context, "next"), height))
    runToKind(context.state, condition.kind, true);
  hint(context, ("The next one (" + std::string(condition.keys) + ")").c_str());
  ImGui::EndDisabled();
  ImGui::PopID();
}

void menu(const ViewContext& context) {
  Session& session = context.session();
  heading(context, "STOP AT");
  const float column = 150 * context.unit;
  for (const Condition& condition : kConditions) conditionRow(context, condition, column);
  std::string lines;
  for (const std::uint32_t line : session.stops().lines())
    lines += (lines.empty() ? "Lines " : ", ") + std::to_string(line);
  label(context, lines.empty() ? "Lines: click a line's number in the kernel." : lines, ColorRole::TextDim);
  if (session.stops().empty()) return;
  if (pill(context, "Clear all", false, pillWidth(context, "Clear all"), 0)) session.stops().clear();
}

}  // namespace

void drawStops(const ViewContext& context, float height) {
  Session& session = context.session();
  nextGroup(context, "run");
  if (runButton(context, "##runback", false, height, "Back to the breakpoint before (Shift+R)"))
    runToBreakpoint(context.state, false);
  if (runButton(context, "##runon", true, height, "On to the next breakpoint (R)"))
    runToBreakpoint(context.state, true);
  const bool armed = !session.stops().empty();
  if (pill(context, "stops", armed, pillWidth(context, "stops"), height)) ImGui::OpenPopup("stop menu");
  hint(context, "Conflicts, divergence, hazards, barriers and lines to stop at");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14 * context.unit, std::floor(12 * context.unit)));
  if (ImGui::BeginPopup("stop menu")) {
    menu(context);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace lanescope
