#include "app/window/stops_menu.h"

#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "app/panels/base/widgets.h"

namespace lanescope {
namespace {

struct Condition {
  StopKind kind;
  const char* name;
  const char* next;  ///< its keys
  const char* previous;
};

constexpr std::array<Condition, kStopKinds> kConditions{{
    {StopKind::Conflict, "bank conflict", "C", "Shift+C"},
    {StopKind::Divergence, "divergence", "D", "Shift+D"},
    {StopKind::Hazard, "hazard", "H", "Shift+H"},
    {StopKind::Barrier, "barrier", "B", "Shift+B"},
}};

Refusal runToKind(Session& session, const Condition& condition, bool forward) {
  if (session.replay() == nullptr) return "";
  if (session.runTo(condition.kind, forward)) return std::nullopt;
  const std::string none = std::string("No ") + condition.name;
  const bool isFound = condition.kind == StopKind::Hazard;
  if (session.events().of(condition.kind).empty())
    return none + (isFound ? " was found in this run." : " in this run.");
  return none + (forward ? " from here to the end." : " between the start and here.");
}

/// Goes to the next breakpoint, or the previous one. If there is none, to the end or the start.
Refusal runToBreakpoint(Session& session, bool forward) {
  if (session.replay() == nullptr) return "";
  if (session.runToStop(forward)) return std::nullopt;
  return forward ? "This is the end of the run." : "This is the start of the run.";
}

Refusal toggleLine(Session& session) {
  if (session.replay() == nullptr || !session.replay()->currentStep()) return "";
  session.stops().toggleLine(session.replay()->currentStep()->line);
  return std::nullopt;
}

/// A button with two triangles and a bar: run to the next breakpoint.
void runButton(const ViewContext& context, const char* id, bool forward, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = height * 1.25F;
  commandButton(context, id, {.width = width, .height = height});
  const ImVec2 centre(at.x + width / 2, at.y + height / 2);
  const float r = height * 0.19F;
  const float way = forward ? 1.0F : -1.0F;
  const ImU32 color = context.color(ColorRole::Text);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (const float shift : {-1.5F, 0.0F}) {
    const float x = centre.x + way * r * shift;
    pointingTriangle(list, ImVec2(x + way * 1.3F * r, centre.y), x, r, color);
  }
  list.AddCircleFilled(ImVec2(centre.x + way * 2.2F * r, centre.y), r * 0.6F, context.color(ColorRole::Bad));
  ImGui::SameLine();
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
  commandButton(context, std::string("previous ") + condition.name);
  ImGui::SameLine();
  commandButton(context, std::string("next ") + condition.name);
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

std::vector<Command> stopCommands(ViewState& state) {
  Session& session = state.session;
  const std::function<bool()> hasSteps = [&state] { return state.mode != Mode::Table; };
  const HelpLine run{"run to the next breakpoint; Shift: to the previous one", HelpGroup::Stops};
  const HelpLine kinds{"next conflict, divergence, hazard, barrier; Shift: previous", HelpGroup::Stops};
  std::vector<Command> rows;
  for (const bool forward : {true, false}) {
    rows.push_back(Command(forward ? "next breakpoint" : "previous breakpoint", {forward ? "R" : "Shift+R"},
                           run, forward ? "##runon" : "##runback",
                           forward ? "To the next breakpoint" : "Back to the previous breakpoint",
                           {.applies = hasSteps},
                           [&session, forward] { return runToBreakpoint(session, forward); }));
    for (const Condition& condition : kConditions) {
      rows.push_back(
          Command(std::string(forward ? "next " : "previous ") + condition.name,
                  {forward ? condition.next : condition.previous}, kinds, forward ? "next" : "previous",
                  forward ? "The next one" : "The previous one", {.applies = hasSteps},
                  [&session, &condition, forward] { return runToKind(session, condition, forward); }));
    }
  }
  rows.push_back(Command("", {"L"}, {"breakpoint on the current line", HelpGroup::Stops}, "", "",
                         {.applies = hasSteps}, [&session] { return toggleLine(session); }));
  return rows;
}

void drawStops(const ViewContext& context, float height) {
  Session& session = context.session();
  nextGroup(context, "run");
  runButton(context, "previous breakpoint", false, height);
  runButton(context, "next breakpoint", true, height);
  const bool armed = !session.stops().empty();
  if (pill(context, "breakpoints", armed, pillWidth(context, "breakpoints"), height))
    ImGui::OpenPopup("stop menu");
  hint(context, "Conflicts, divergence, hazards, barriers and lines to stop at");
  // Above its button, so that the timeline stays in sight.
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  const bool isRight = low.x + high.x > ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos(ImVec2(isRight ? high.x : low.x, low.y - 4 * context.unit), ImGuiCond_Always,
                          ImVec2(isRight ? 1.0F : 0.0F, 1.0F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14 * context.unit, std::floor(12 * context.unit)));
  if (ImGui::BeginPopup("stop menu")) {
    menu(context);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace lanescope
