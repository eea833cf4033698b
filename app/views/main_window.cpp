#include "app/views/main_window.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "app/views/help.h"
#include "app/views/quiz_follow.h"
#include "app/views/top_bar_view.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

constexpr float kPadding = 14;  ///< as the scenes' own margin

}  // namespace

MainWindow::MainWindow(Session& session, GpuSession& gpu, const Theme& theme)
    : state_{.session = session, .gpu = gpu, .theme = &theme}, views_(makeViews()) {}

void MainWindow::draw(ImVec2 size, const FontTable& fonts, float unit) {
  if (styled_ != state_.theme || styledUnit_ != unit) {
    styled_ = state_.theme;
    styledUnit_ = unit;
    applyStyle(*styled_, unit);
  }
  const ImguiMeasure measure(fonts);
  const ViewContext context{state_, fonts, measure, unit};
  state_.nextHover = {};
  shape_ = shape();
  followTrace();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(size);
  ImGui::PushFont(fonts.of(FontRole::Body));
  ImGui::Begin("Lanescope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  const std::array<Area, kPlaces> areas = layoutPlaces(size, unit, shape_);
  for (const auto& view : views_) {
    if (view->shownIn(shape_.mode)) drawView(context, *view, areas[static_cast<std::size_t>(view->place())]);
  }
  ImGui::End();
  if (std::exchange(runIsDue_, false)) state_.session.run();
  drawError(context, size);
  if (state_.helpOpen) drawHelp(context, size);
  ImGui::PopFont();
  restless_ = state_.nextHover != state_.hover || styled_ != state_.theme || shape_ != shape();
  state_.hover = state_.nextHover;
}

WindowShape MainWindow::shape() const { return {state_.mode, state_.sourceIsTall}; }

bool MainWindow::toggleMode(Mode mode) {
  if (std::ranges::find(kOfferedModes, mode, &OfferedMode::mode) == kOfferedModes.end()) return false;
  state_.mode = state_.mode == mode ? Mode::Explore : mode;
  return true;
}

// What is chosen belongs to a trace; what is lit up follows its cursor.
void MainWindow::followTrace() {
  const Replay* replay = state_.session.replay();
  if (state_.generation != state_.session.generation()) {
    state_.generation = state_.session.generation();
    state_.shownVariable = state_.pinnedWarp = -1;
    if (replay != nullptr && state_.pinnedThread >= std::int64_t{replay->trace().threads})
      state_.pinnedThread = -1;
  }
  Focus focus = state_.hover;
  if (focus.empty()) focus.thread = state_.pinnedThread;
  state_.linked = replay == nullptr ? Linked{} : linkedTo(*replay, focus);
  followQuiz(state_);
}

void MainWindow::drawView(const ViewContext& context, View& view, const Area& area) {
  if (area.h <= 0) return;
  const float unit = context.unit;
  const bool bar = view.place() == Place::Top || view.place() == Place::Transport;
  const ImVec2 padding = view.fillsPanel() ? ImVec2(0, 0) : ImVec2(kPadding * unit, (bar ? 8 : 11) * unit);
  ImGui::SetCursorPos(ImVec2(area.x, area.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  const std::string id(view.name());
  ImGui::BeginChild(id.c_str(), ImVec2(area.w, area.h), true,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  view.draw(context, ImVec2(area.w - 2 * padding.x, area.h - 2 * padding.y));
  ImGui::EndChild();
}

void MainWindow::drawError(const ViewContext& context, ImVec2 size) {
  if (state_.session.error().empty() || state_.openDialog) return;
  const float unit = context.unit;
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y - 110 * unit), ImGuiCond_Always, ImVec2(0.5F, 1));
  ImGui::SetNextWindowSize(ImVec2(std::min(size.x * 0.6F, 760 * unit), 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14 * unit, 12 * unit));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, context.color(ColorRole::Panel));
  ImGui::PushStyleColor(ImGuiCol_Border, context.color(ColorRole::Bad));
  ImGui::Begin("error", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  wrappedText(context, state_.session.error());
  if (pill(context, "Dismiss", false, pillWidth(context, "Dismiss"), 0)) state_.session.dismissError();
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

void MainWindow::moveWarp(int by) {
  const Replay* replay = state_.session.replay();
  if (replay == nullptr || replay->trace().warps == 0) return;
  const Step* step = replay->currentStep();
  const int warps = static_cast<int>(replay->trace().warps);
  const int now = state_.pinnedWarp >= 0 ? state_.pinnedWarp : step == nullptr ? 0 : int{step->warp};
  state_.pinnedWarp = (now + by + warps) % warps;
}

bool MainWindow::takesText() const {
  const bool isField = ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().WantTextInput;
  return state_.typing || isField || state_.openDialog;
}

bool MainWindow::type(const CodeEvent& event) {
  if (!state_.typing) return false;
  state_.typed.push_back(event);
  return true;
}

bool MainWindow::press(Key key, bool shift) {
  Session& session = state_.session;
  if (pressInQuiz(state_, key, takesText())) return true;
  if (takesText() && key != Key::RunText && key != Key::Open && key != Key::Escape) return false;
  switch (key) {
    case Key::Space: session.togglePlay(); break;
    case Key::Right: session.step(shift ? Grain::Phase : session.grain(), true); break;
    case Key::Left: session.step(shift ? Grain::Phase : session.grain(), false); break;
    case Key::Down: session.step(Grain::Phase, true); break;
    case Key::Up: session.step(Grain::Phase, false); break;
    case Key::Home: session.toStart(); break;
    case Key::End: session.toEnd(); break;
    case Key::Theme: state_.theme = &nextTheme(*state_.theme); break;
    case Key::Help: state_.helpOpen = !state_.helpOpen; break;
    case Key::RunText:
      // What was typed before it comes first.
      runIsDue_ = !state_.typed.empty();
      if (!runIsDue_) session.run();
      break;
    case Key::Open: state_.openDialog = !state_.openDialog; break;
    case Key::Compare: return toggleMode(Mode::Compare);
    case Key::Table: return toggleMode(Mode::Table);
    case Key::Predict: return toggleMode(Mode::Predict);
    case Key::Enter:
    case Key::Yes:
    case Key::ShowAnswer: return false;
    case Key::Escape:
      if (state_.typing || state_.openDialog) {
        if (!state_.openDialog) state_.typing = false;
        state_.openDialog = false;
        return true;
      }
      if (!state_.helpOpen && session.error().empty()) {
        if (state_.pinnedThread < 0 && state_.shownVariable < 0 && state_.pinnedWarp < 0) return false;
        state_.pinnedThread = -1;
        state_.shownVariable = state_.pinnedWarp = -1;
        break;
      }
      state_.helpOpen = false;
      session.dismissError();
      break;
    case Key::Faster: session.changeSpeed(1); break;
    case Key::Slower: session.changeSpeed(-1); break;
    case Key::Grain1: session.setGrain(Grain::Phase); break;
    case Key::Grain2: session.setGrain(Grain::Instruction); break;
    case Key::Grain3: session.setGrain(Grain::Wavefront); break;
    case Key::Motion: session.motion().changeSeconds(); break;
    case Key::WarpOn: moveWarp(1); break;
    case Key::WarpBack: moveWarp(-1); break;
    case Key::PassOn: session.step(Grain::Wavefront, true); break;
    case Key::PassBack: session.step(Grain::Wavefront, false); break;
    case Key::Run: session.runToStop(!shift); break;
    case Key::Conflict: session.runTo(StopKind::Conflict, !shift); break;
    case Key::Divergence: session.runTo(StopKind::Divergence, !shift); break;
    case Key::Hazard: session.runTo(StopKind::Hazard, !shift); break;
    case Key::Barrier: session.runTo(StopKind::Barrier, !shift); break;
    case Key::StopOnLine:
      if (session.replay() == nullptr || session.replay()->currentStep() == nullptr) return false;
      session.stops().toggleLine(session.replay()->currentStep()->line);
      break;
  }
  return true;
}

}  // namespace lanescope
