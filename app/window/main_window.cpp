#include "app/window/main_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "app/paint/imgui_compat.h"
#include "app/pictures/plan_pictures.h"
#include "app/window/notice.h"
#include "app/panels/quiz_follow.h"
#include "app/panels/base/widgets.h"
#include "app/panels/titles.h"
#include "app/panels/guide_follow.h"
#include "app/panels/guide_view.h"
#include "app/window/help.h"
#include "app/window/panels.h"

namespace lanescope {
namespace {

constexpr float kPadding = 14;           ///< as the scenes' own margin
constexpr float kErrorGap = 8;           ///< around the strip of an error, as between the places
constexpr float kMostErrorShare = 0.3F;  ///< of the window's height

/// Width of an error's button, and of its text beside it.
float dismissWidth(const ViewContext& context) { return pillWidth(context, "Dismiss"); }
float errorTextWidth(const ViewContext& context, float window) {
  return window - 2 * (kErrorGap + 2 * kPadding) * context.unit - dismissWidth(context);
}

}  // namespace

MainWindow::MainWindow(Session& session, GpuSession& gpu, const Theme& theme, std::function<void()> wake)
    : state_{.session = session, .gpu = gpu, .theme = &theme, .commands = &commands_},
      systemDialogs_(wake),
      views_(makeViews()),
      export_(wake) {
  state_.machineCode.setWake(std::move(wake));
  // If several commands have a key, the first that applies gets it.
  commands_.add(glossaryDialog_.commands(state_));
  commands_.add(panelCommands(state_, layout_));
  for (const auto& view : views_) commands_.add(view->commands(state_));
  commands_.add(commands());
  session.setPlanner(planPictures);
}

void MainWindow::draw(ImVec2 size, const FontTable& fonts, float unit) {
  const bool isNewUnit = styledUnit_ != unit;
  if (styled_ != state_.theme || isNewUnit) {
    styled_ = state_.theme;
    styledUnit_ = unit;
    applyStyle(*styled_, unit);
  }
  const ImguiMeasure measure(fonts);
  Focus pointed;
  const ViewContext context{state_, fonts, measure, pointed, unit};
  leadWithArrows(popupShows());  // through an open list; otherwise they belong to the window
  endNotice(state_);
  const bool asks = state_.mode == Mode::Predict || state_.guides();
  state_.asksInNarrowWindow = asks && isNarrow(size, unit, findArrangement(state_.settings.layout).unfolded);
  shape_ = shape(context, size);
  state_.hasLargeText = hasLargeText(size, unit);
  state_.isFolded = foldsColumns(size, unit, shape_);
  // A source that is not shown takes no typing.
  if (shape_.mode == Mode::Compare || shape_.mode == Mode::Table) state_.typing = false;
  syncTrace();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::PushFont(fonts.of(FontRole::Body));
  // The frame was cleared to the background's color: drawing it again would cost as much as everything else.
  ImGui::Begin(kPanelsWindow, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground);
  // Dear ImGui may have closed it itself, by the same key.
  if (std::exchange(closesPopups_, false) && popupShows()) ImGui::ClosePopupToLevel(0, true);
  layout_ = layoutPlaces(size, unit, shape_);
  for (const auto& view : views_) {
    if (view->shownIn(shape_)) drawView(context, *view, layout_.of(view->place()));
  }
  drawDividers(context, layout_);
  drawGuideFrame(context, layout_);
  ImGui::End();
  if (std::string news = state_.session.pollNews(); !news.empty()) state_.notify(std::move(news));
  drawError(context, size);
  const Area& transport = layout_.of(Place::Transport);
  drawNotice(context, ImVec2(size.x, transport.h > 0 ? transport.y : size.y - shape_.errorHeight));
  systemDialogs_.syncTo(state_);
  openDialog_.draw(context, size);
  saveDialog_.draw(context, size);
  export_.draw(context, size);
  glossaryDialog_.draw(context, size);
  if (state_.helpOpen) drawHelp(context, size);
  drawLaser(context);
  ImGui::PopFont();
  restless_ =
      pointed != state_.marks.hover || isNewUnit || styled_ != state_.theme || shape_ != shape(context, size);
  state_.marks.hover = pointed;
}

WindowShape MainWindow::shape(const ViewContext& context, ImVec2 size) const {
  return {.mode = state_.mode,
          .guides = state_.guides(),
          .sourceIsTall = state_.sourceIsTall,
          .presents = state_.presenting,
          .gpuIsOpen = state_.settings.gpuIsOpen,
          .maximised = state_.maximised,
          .errorHeight = errorHeight(context, size),
          .shares = computeShares(state_),
          .unfolded = shownArrangement(state_).unfolded};
}

// The choices belong to a trace; the linked elements follow its cursor.
void MainWindow::syncTrace() {
  const Replay* replay = state_.session.replay();
  const std::uint64_t generation = state_.session.generation();
  if (state_.markedGeneration <= generation) {
    if (state_.markedGeneration < generation || replay == nullptr)
      state_.marks.warp = state_.marks.variable = -1;
    if (replay != nullptr) state_.marks.keepTo(replay->trace());
    state_.markedGeneration = generation;
  }
  state_.marks.light(replay);
  syncQuiz(state_);
  syncGuide(state_);
}

void MainWindow::drawView(const ViewContext& context, View& view, const Area& area) {
  if (area.h <= 0) return;
  const float unit = context.unit;
  const bool bar = view.place() == Place::Top || view.place() == Place::Transport;
  const ImVec2 padding = view.fillsPanel() ? ImVec2(0, 0) : ImVec2(kPadding * unit, (bar ? 8 : 11) * unit);
  const std::string name(view.name());
  if (view.hasPanels())
    beginStage(name.c_str(), area);
  else
    beginPanel(context, name.c_str(), area, padding);
  view.draw(context, ImVec2(area.w - 2 * padding.x, area.h - 2 * padding.y));
  handleDoubleClick(context, view, area);
  endPanel();
}

// A fault that the text already shows is shown only there.
bool MainWindow::errorShows() const {
  const Session& session = state_.session;
  const bool isInSight = session.errorIsInText() && (session.replay() != nullptr || state_.showsSource());
  return !session.error().empty() && !isInSight;
}

// The dialogs show it themselves.
float MainWindow::errorHeight(const ViewContext& context, ImVec2 size) const {
  if (!errorShows() || state_.dialogOpen()) return 0;
  ImGui::PushFont(context.fonts.of(FontRole::Body));
  const float text = ImGui::CalcTextSize(withTitles(state_.session.error()).c_str(), nullptr, false,
                                         errorTextWidth(context, size.x))
                         .y;
  const float high = std::max(std::min(text, size.y * kMostErrorShare), ImGui::GetFrameHeight());
  ImGui::PopFont();
  return std::ceil(high + (20 + kErrorGap) * context.unit);
}

// In a strip below all places, which the layout leaves free.
void MainWindow::drawError(const ViewContext& context, ImVec2 size) const {
  const float unit = context.unit;
  if (shape_.errorHeight <= 0) return;
  const float gap = kErrorGap * unit;
  const ImVec2 extent(size.x - 2 * gap, shape_.errorHeight - gap);
  ImGui::SetNextWindowPos(ImVec2(gap, size.y - gap - extent.y));
  ImGui::SetNextWindowSize(extent);
  beginOverlay(context, "error", ColorRole::Bad, ImVec2(kPadding * unit, 10 * unit),
               ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::BeginChild("error text", ImVec2(errorTextWidth(context, size.x) + kPadding * unit, 0));
  ImGui::PushTextWrapPos(errorTextWidth(context, size.x));
  label(context, withTitles(state_.session.error()));
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  ImGui::SameLine(extent.x - kPadding * unit - dismissWidth(context));
  if (pill(context, "Dismiss", false, dismissWidth(context), 0)) state_.session.dismissError();
  endOverlay();
}

std::optional<double> MainWindow::secondsToChange() const {
  if (state_.notice.ends < 0) return std::nullopt;
  return std::max(0.0, state_.notice.ends - ImGui::GetTime());
}

bool MainWindow::type(const CodeEvent& event) {
  return std::ranges::any_of(views_, [&](const auto& view) { return view->type(state_, event); });
}

/// A spot of light at the pointer, for the back of the room.
void MainWindow::drawLaser(const ViewContext& context) const {
  const ImVec2 at = ImGui::GetIO().MousePos;
  if (!state_.laser || !ImGui::IsMousePosValid(&at)) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  ImDrawList& drawList = *ImGui::GetForegroundDrawList();
  constexpr std::array<float, 4> kRadii{26, 19, 13, 8};
  for (const float radius : kRadii)
    drawList.AddCircleFilled(at, radius * context.unit, IM_COL32(255, 40, 40, 44), 32);
  drawList.AddCircleFilled(at, 4.5F * context.unit, IM_COL32(255, 60, 60, 255), 24);
  drawList.AddCircle(at, 4.5F * context.unit, IM_COL32(255, 255, 255, 220), 24, 1.2F * context.unit);
}

}  // namespace lanescope
