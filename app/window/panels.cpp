#include "app/window/panels.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"
#include "app/panels/compare_view.h"
#include "app/panels/gpu_view.h"
#include "app/panels/guide_view.h"
#include "app/panels/lesson_view.h"
#include "app/panels/picture_views.h"
#include "app/panels/quiz_view.h"
#include "app/panels/scenes.h"
#include "app/panels/source_view.h"
#include "app/panels/table_view.h"
#include "app/window/stage_title.h"
#include "app/window/top_bar_view.h"
#include "app/window/transport_view.h"

namespace lanescope {
namespace {

constexpr float kHeading = 32;  ///< units, from a panel's upper edge
constexpr float kKeyStep = 32;  ///< units, of a divider moved by a key

bool canBeMaximised(Place place) { return static_cast<std::size_t>(place) < kColumns; }

void maximise(ViewState& state, std::string_view panel) {
  if (state.maximised) return state.maximised.reset();
  state.maximised = panel;
  // Words for the one who speaks are not for the room.
  if (!state.presenting) state.notify("Esc, or a double click on the heading, brings the other panels back.");
}

void drag(ViewState& state, const Divider& divider, float by) {
  state.settings.panels = dragged(state.settings.panels, divider, by);
}

Refusal moveDivider(ViewState& state, const WindowLayout& layout, std::string_view before, float by) {
  const auto isIt = [&](const Divider& divider) { return divider.before.id == before; };
  const auto divider = std::ranges::find_if(layout.dividers, isIt);
  if (divider == layout.dividers.end()) return "No panel can be moved here.";
  const Divider::Side& side = divider->before;
  const bool isAtEnd = by < 0 ? side.room <= side.least + 1 : divider->after.room <= divider->after.least + 1;
  if (isAtEnd) return "There is no more room on that side.";
  drag(state, *divider, by);
  return std::nullopt;
}

/// The panel under the pointer.
std::optional<std::string_view> pointedAt(const WindowLayout& layout) {
  if (ImGui::GetCurrentContext() == nullptr) return std::nullopt;
  const ImVec2 at = ImGui::GetIO().MousePos;
  for (const PlacedPanel& panel : layout.panels) {
    if (panel.area.contains(at.x, at.y) && canBeMaximised(panel.place)) return panel.id;
  }
  return std::nullopt;
}

}  // namespace

const Arrangement& shownArrangement(const ViewState& state) {
  return state.asksInNarrowWindow ? arrangements().front() : findArrangement(state.settings.layout);
}

std::vector<PanelInfo> panelInfos(const std::vector<std::unique_ptr<View>>& views, const WindowShape& shape) {
  std::vector<PanelInfo> infos;
  infos.reserve(views.size());
  for (const auto& view : views) infos.push_back(view->panel(shape));
  return infos;
}

void arrange(ViewState& state, const Arrangement& arrangement) {
  state.settings.layout = arrangement.id;
  state.settings.panels.clear();
  state.maximised.reset();
}

void drawDividers(const ViewContext& context, const WindowLayout& layout) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (const Divider& divider : layout.dividers) {
    const Area& area = divider.area;
    if (area.w < 1 || area.h < 1) continue;
    ImGui::SetCursorPos(ImVec2(area.x, area.y));
    ImGui::PushID(divider.before.id.data());
    ImGui::InvisibleButton("divider", ImVec2(area.w, area.h));
    ImGui::PopID();
    const bool isHeld = ImGui::IsItemActive();
    if (!isHeld && !ImGui::IsItemHovered()) continue;
    ImGui::SetMouseCursor(divider.dividesColumns ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const float inset = (divider.dividesColumns ? area.w : area.h) * 0.3F;
    const ImVec2 low(area.x + (divider.dividesColumns ? inset : 0),
                     area.y + (divider.dividesColumns ? 0 : inset));
    const ImVec2 high(area.x + area.w - (low.x - area.x), area.y + area.h - (low.y - area.y));
    ImGui::GetWindowDrawList()->AddRectFilled(low, high, context.color(ColorRole::Accent, isHeld ? 1 : 0.6F),
                                              2 * context.unit);
    if (ImGui::IsMouseDoubleClicked(0)) {
      context.state.settings.panels.clear();
    } else if (isHeld && ImGui::IsMouseDragging(0, 1)) {
      const float by = divider.dividesColumns ? mouse.x - area.x - area.w / 2 : mouse.y - area.y - area.h / 2;
      drag(context.state, divider, by);
    }
  }
}

void handleDoubleClick(const ViewContext& context, const PanelInfo& panel, const Area& area) {
  if (!canBeMaximised(panel.place) || !ImGui::IsMouseDoubleClicked(0)) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Area heading{area.x, area.y, area.w, std::min(area.h, kHeading * context.unit)};
  if (!heading.contains(mouse.x, mouse.y)) return;
  const bool isHere =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  // A picture is one item. In other panels an item is a button, which gets the click.
  if (isHere && (panel.frame == PanelFrame::Filled || !ImGui::IsAnyItemHovered()))
    maximise(context.state, panel.id);
}

std::vector<Command> panelCommands(ViewState& state, const WindowLayout& layout) {
  const HelpLine arrangement{"next layout: standard, code large, pictures large; Shift: one panel"};
  const HelpLine dividers{"the source wider, narrower, lower, higher"};
  const auto move = [&](std::string_view before, float by) {
    return [&state, &layout, before, by]() -> Refusal {
      const float unit = ImGui::GetCurrentContext() == nullptr ? 1 : ImGui::GetFontSize() / 14;
      return moveDivider(state, layout, before, by * unit);
    };
  };
  return {
      {.id = "next layout",
       .keys = {"Z"},
       .help = arrangement,
       .run =
           [&state] {
             const auto& all = arrangements();
             const auto here = static_cast<std::size_t>(&findArrangement(state.settings.layout) - all.data());
             const Arrangement& next = all[(here + 1) % all.size()];
             arrange(state, next);
             state.notify(std::string("Layout: ") + next.title + ".");
           }},
      {.id = "maximise",
       .keys = {"Shift+Z"},
       .help = arrangement,
       .applies = [&state] { return state.mode == Mode::Explore || state.mode == Mode::Predict; },
       .run = [&state, &layout] { maximise(state, pointedAt(layout).value_or("source")); }},
      {.keys = {"Ctrl+Left"}, .help = dividers, .run = move("picture column", -kKeyStep)},
      {.keys = {"Ctrl+Right"}, .help = dividers, .run = move("picture column", kKeyStep)},
      {.keys = {"Ctrl+Up"}, .help = dividers, .run = move("source", -kKeyStep)},
      {.keys = {"Ctrl+Down"}, .help = dividers, .run = move("source", kKeyStep)},
  };
}

void Marks::releaseMarks() {
  thread = -1;
  warp = variable = -1;
}

void Marks::keepTo(const Trace& trace) {
  if (variable >= std::ssize(trace.variables)) variable = -1;
  if (warp >= static_cast<std::int64_t>(trace.warps)) warp = -1;
  if (thread >= std::int64_t{trace.threads}) thread = -1;
}

void Marks::light(const Replay* replay) {
  Focus focus = hover;
  if (focus.empty()) focus.thread = thread;
  linked = replay == nullptr ? Linked{} : linkedTo(*replay, focus);
}

SceneContext ViewContext::scene(ImVec2 size) const {
  SceneContext scene{.width = size.x, .height = size.y, .unit = unit};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  scene.pointer = Point{mouse.x - at.x, mouse.y - at.y};
  scene.hoverThread = marks().shownThread();
  scene.hoverCell = marks().hover.cell;
  scene.litThreads = marks().linked.threads;
  scene.litCells = marks().linked.cells;
  scene.variable = marks().variable;
  scene.focusWarp = marks().warp;
  scene.chosenThreads = state.prediction.threads;
  scene.hidesFuture = state.hidesFuture();
  if (!scene.hidesFuture) scene.hazards = &state.session.player().hazards();
  if (const RunOutcomePtr& shown = state.session.shownRun()) scene.hasInventedData = shown->hasInventedData();
  scene.byLine = state.session.player().grain() == Grain::Line;
  scene.progress = state.session.player().motion().progress();
  scene.movedFrom = state.session.player().motion().from();
  return scene;
}

bool ViewState::takesText() const {
  const bool isField = ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantTextInput;
  return typing || isField || dialogOpen();
}

bool ViewState::showsSource() const {
  const bool hasPlace = mode == Mode::Explore || mode == Mode::Predict;
  return hasPlace && (!maximised || *maximised == "source");
}

std::vector<std::unique_ptr<View>> makeViews() {
  std::vector<std::unique_ptr<View>> views;
  views.push_back(std::make_unique<TopBarView>());
  views.push_back(std::make_unique<StageTitle>());
  views.push_back(std::make_unique<LessonView>());
  views.push_back(std::make_unique<GuideView>());
  views.push_back(std::make_unique<QuizView>());
  views.push_back(std::make_unique<ArrayView>());
  views.push_back(std::make_unique<WarpView>());
  views.push_back(std::make_unique<BankView>());
  views.push_back(std::make_unique<SourceView>());
  views.push_back(std::make_unique<CountersView>());
  views.push_back(std::make_unique<GpuView>());
  views.push_back(std::make_unique<CompareView>());
  views.push_back(std::make_unique<TableView>());
  views.push_back(std::make_unique<TransportView>());
  views.push_back(std::make_unique<ScenesView>());
  return views;
}

}  // namespace lanescope
