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
#include "app/panels/source_view.h"
#include "app/panels/table_view.h"
#include "app/window/top_bar_view.h"
#include "app/window/transport_view.h"

namespace lanescope {
namespace {

constexpr float kHeading = 32;  ///< units, from a panel's upper edge
constexpr float kKeyStep = 32;  ///< units, of a divider moved by a key

bool canBeMaximised(Place place) {
  return place != Place::Top && place != Place::Transport && place != Place::Stage;
}

void maximise(ViewState& state, Place place) {
  if (state.maximised) return state.maximised.reset();
  state.maximised = place;
  state.notify("Esc, or a double click on the heading, brings the other panels back.");
}

void drag(ViewState& state, const Divider& divider, float by) {
  state.settings.panels = named(dragged(computeShares(state), divider, by));
}

Refusal moveDivider(ViewState& state, const WindowLayout& layout, Pane before, float by) {
  const auto divider = std::ranges::find(layout.dividers, before, &Divider::before);
  if (divider == layout.dividers.end()) return "No panel can be moved here.";
  const Shares old = computeShares(state);
  drag(state, *divider, by);
  if (computeShares(state) == old) return "There is no more room on that side.";
  return std::nullopt;
}

/// The panel under the pointer.
std::optional<Place> pointedAt(const WindowLayout& layout) {
  if (ImGui::GetCurrentContext() == nullptr) return std::nullopt;
  const ImVec2 at = ImGui::GetIO().MousePos;
  for (std::size_t place = 0; place < kPlaces; ++place) {
    const bool isIn = layout[place].contains(at.x, at.y);
    if (isIn && canBeMaximised(static_cast<Place>(place))) return static_cast<Place>(place);
  }
  return std::nullopt;
}

}  // namespace

const Arrangement& shownArrangement(const ViewState& state) {
  return state.asksInNarrowWindow ? arrangements().front() : findArrangement(state.settings.layout);
}

Shares computeShares(const ViewState& state) {
  return changedBy(state.settings.panels, shownArrangement(state).shares);
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
    ImGui::PushID(static_cast<int>(divider.before));
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

void handleDoubleClick(const ViewContext& context, const View& view, const Area& area) {
  if (!canBeMaximised(view.place()) || !ImGui::IsMouseDoubleClicked(0)) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Area heading{area.x, area.y, area.w, std::min(area.h, kHeading * context.unit)};
  if (!heading.contains(mouse.x, mouse.y)) return;
  const bool isHere =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  // A picture is one item. In other panels an item is a button, which gets the click.
  if (isHere && (view.fillsPanel() || !ImGui::IsAnyItemHovered())) maximise(context.state, view.place());
}

std::vector<Command> panelCommands(ViewState& state, const WindowLayout& layout) {
  const HelpLine arrangement{"next layout: standard, code large, pictures large; Shift: one panel"};
  const HelpLine dividers{"the source wider, narrower, lower, higher"};
  const auto move = [&](Pane before, float by) {
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
       .run = [&state, &layout] { maximise(state, pointedAt(layout).value_or(Place::Source)); }},
      {.keys = {"Ctrl+Left"}, .help = dividers, .run = move(Pane::PictureColumn, -kKeyStep)},
      {.keys = {"Ctrl+Right"}, .help = dividers, .run = move(Pane::PictureColumn, kKeyStep)},
      {.keys = {"Ctrl+Up"}, .help = dividers, .run = move(Pane::Source, -kKeyStep)},
      {.keys = {"Ctrl+Down"}, .help = dividers, .run = move(Pane::Source, kKeyStep)},
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
  return hasPlace && (!maximised || *maximised == Place::Source);
}

std::vector<std::unique_ptr<View>> makeViews() {
  std::vector<std::unique_ptr<View>> views;
  views.push_back(std::make_unique<TopBarView>());
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
  return views;
}

}  // namespace lanescope
