#include "app/views/main_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "app/views/help.h"
#include "app/views/quiz_follow.h"
#include "app/views/top_bar_view.h"
#include "app/views/tour.h"
#include "app/views/widgets.h"

namespace lanescope {
namespace {

constexpr float kPadding = 14;  ///< as the scenes' own margin

/// Keys that no text takes.
bool worksWhileTyping(Key key) {
  constexpr std::array<Key, 11> kKeys{Key::RunText, Key::Open,    Key::Save,    Key::Escape,
                                      Key::Compare, Key::Table,   Key::Predict, Key::Present,
                                      Key::Larger,  Key::Smaller, Key::OwnSize};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

}  // namespace

MainWindow::MainWindow(Session& session, GpuSession& gpu, const Theme& theme, std::function<void()> wake)
    : state_{.session = session, .gpu = gpu, .theme = &theme},
      views_(makeViews()),
      export_(std::move(wake)) {}

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
  // Nobody writes into a source that is not there.
  if (shape_.mode == Mode::Compare || shape_.mode == Mode::Table) state_.typing = false;
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
  openDialog_.draw(context, size);
  saveDialog_.draw(context, size);
  if (state_.tourStep >= 0) drawTour(context, areas);
  export_.draw(context, size);
  if (state_.helpOpen) drawHelp(context, size);
  drawLaser(context);
  ImGui::PopFont();
  restless_ = state_.nextHover != state_.hover || styled_ != state_.theme || shape_ != shape();
  state_.hover = state_.nextHover;
}

WindowShape MainWindow::shape() const {
  return {.mode = state_.mode,
          .sourceIsTall = state_.sourceIsTall,
          .presents = state_.presenting,
          .gpuIsLarge = state_.gpuPanel.isLarge && !state_.presenting};
}

bool MainWindow::toggleMode(Mode mode) {
  state_.mode = state_.mode == mode ? Mode::Explore : mode;
  return true;
}

// What is chosen belongs to a trace; what is lit up follows its cursor.
void MainWindow::followTrace() {
  const Replay* replay = state_.session.replay();
  if (state_.generation != state_.session.generation()) {
    state_.generation = state_.session.generation();
    state_.shownVariable = -1;
    if (!std::exchange(state_.restored, false)) state_.pinnedWarp = -1;
    if (replay != nullptr && state_.pinnedWarp >= static_cast<std::int64_t>(replay->trace().warps))
      state_.pinnedWarp = -1;
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

// A fault that stands in the text already is told there alone.
bool MainWindow::errorShows() const {
  const Session& session = state_.session;
  const bool isInSight = session.errorIsInText() && session.replay() != nullptr;
  return !session.error().empty() && !isInSight;
}

void MainWindow::drawError(const ViewContext& context, ImVec2 size) {
  if (!errorShows() || state_.dialogOpen()) return;
  const float unit = context.unit;
  ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y - 110 * unit), ImGuiCond_Always, ImVec2(0.5F, 1));
  ImGui::SetNextWindowSize(ImVec2(std::min(size.x * 0.6F, 760 * unit), 0));
  beginOverlay(context, "error", ColorRole::Bad, ImVec2(14 * unit, 12 * unit),
               ImGuiWindowFlags_NoFocusOnAppearing);
  wrappedText(context, state_.session.error());
  if (pill(context, "Dismiss", false, pillWidth(context, "Dismiss"), 0)) state_.session.dismissError();
  endOverlay();
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
  return state_.typing || isField || state_.dialogOpen();
}

bool MainWindow::type(const CodeEvent& event) {
  if (!state_.typing) return false;
  state_.typed.push_back(event);
  return true;
}

/// Lets go of the topmost thing that is open or chosen; false where there is none.
bool MainWindow::escape() {
  if (state_.dialogOpen()) {
    state_.openDialog = state_.saveDialog = state_.exportDialog = false;
  } else if (state_.helpOpen) {
    state_.helpOpen = false;
  } else if (state_.tourStep >= 0) {
    endTour(state_);
  } else if (state_.typing) {
    state_.typing = false;
  } else if (errorShows()) {
    state_.session.dismissError();
  } else if (std::exchange(state_.gpuPanel.isLarge, false)) {
    return true;
  } else if (state_.pinnedThread >= 0 || state_.shownVariable >= 0 || state_.pinnedWarp >= 0) {
    state_.pinnedThread = -1;
    state_.shownVariable = state_.pinnedWarp = -1;
  } else if (state_.presenting) {
    state_.presenting = state_.laser = false;
  } else {
    return leaveStage();
  }
  return true;
}

bool MainWindow::changeScale(int by) {
  const auto* here = std::ranges::lower_bound(kScales, static_cast<float>(state_.settings.scale) - 0.01F);
  const auto index = std::clamp(here - kScales.begin() + by, std::ptrdiff_t{0},
                                static_cast<std::ptrdiff_t>(kScales.size()) - 1);
  const float next = kScales[static_cast<std::size_t>(index)];
  // Where the window cannot carry more, the scale stays where it shows.
  const ImVec2 size = ImGui::GetCurrentContext() == nullptr ? ImVec2(0, 0) : ImGui::GetIO().DisplaySize;
  if (size.x > 0 && unitFor(size, next, isLarge()) == unit(size) && by > 0) return false;
  if (next == static_cast<float>(state_.settings.scale)) return false;
  state_.settings.scale = next;
  return true;
}

/// What the top bar's menus choose, one on or back; false at their ends and where there is no choice.
bool MainWindow::chooseByKey(Key key) {
  Session& session = state_.session;
  const Selection& chosen = session.selection();
  // The entry `by` places on from the one at hand, or none.
  const auto neighbour = [](const auto& all, auto here, std::ptrdiff_t by) {
    const std::ptrdiff_t next = (here - std::begin(all)) + by;
    return next >= 0 && next < std::ssize(all) ? std::begin(all) + next : std::end(all);
  };
  if (key == Key::StrategyBack || key == Key::StrategyOn) {
    const std::span<const Strategy> all = strategies();
    const auto here = std::ranges::find(all, chosen.strategy, [](const Strategy& one) { return &one; });
    const auto next = here == all.end() ? all.begin() : neighbour(all, here, key == Key::StrategyOn ? 1 : -1);
    if (next != all.end()) session.chooseStrategy(*next);
    return next != all.end();
  }
  if (chosen.strategy == nullptr && key != Key::Machine) return false;  // a file has a launch of its own
  if (key == Key::FewerElements || key == Key::MoreElements) {
    const auto* here = std::ranges::find(kElementCounts, chosen.n);
    const auto* next = neighbour(kElementCounts, here, key == Key::MoreElements ? 1 : -1);
    if (next != kElementCounts.end()) session.chooseElements(*next);
    return next != kElementCounts.end();
  }
  if (key == Key::Machine) {
    const std::span<const MachineModel> all = machinePresets();
    const auto here = std::ranges::find(all, chosen.machine, [](const MachineModel& one) { return &one; });
    const auto next = neighbour(all, here, here == all.end() ? 0 : 1);
    session.chooseMachine(next == all.end() ? all.front() : *next);
    return true;
  }
  const std::vector<std::uint64_t> counts = session.blockCounts();
  if (counts.size() < 2) return false;
  const auto next = neighbour(counts, std::ranges::find(counts, chosen.blocks), 1);
  session.chooseBlocks(next == counts.end() ? counts.front() : *next);
  return true;
}

/// A spot of light where the pointer is, for the back of the room.
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

// Back from another mode; false where there is none.
bool MainWindow::leaveStage() {
  if (state_.mode == Mode::Explore) return false;
  state_.mode = Mode::Explore;
  return true;
}

// The table has rows and no steps: keys that would move a run that nobody sees do nothing there.
std::optional<bool> MainWindow::pressInTable(Key key) {
  const auto rows = static_cast<std::int32_t>(strategies().size());
  switch (key) {
    case Key::Up: --state_.tableMove; return true;
    case Key::Down: ++state_.tableMove; return true;
    case Key::Home: state_.tableMove = -rows; return true;
    case Key::End: state_.tableMove = rows; return true;
    case Key::Enter: state_.tableChoose = true; return true;
    case Key::Space:
    case Key::Left:
    case Key::Right:
    case Key::PassOn:
    case Key::PassBack:
    case Key::Run:
    case Key::Conflict:
    case Key::Divergence:
    case Key::Hazard:
    case Key::Barrier:
    case Key::StopOnLine: return false;
    default: return std::nullopt;
  }
}

bool MainWindow::press(Key key, bool shift) {
  Session& session = state_.session;
  if (pressInQuiz(state_, key, takesText())) return true;
  if (takesText() && !worksWhileTyping(key)) return false;
  if (state_.tourStep >= 0 &&
      leadsTour(state_, key == Key::Right || key == Key::Space || key == Key::Enter, key == Key::Left))
    return true;
  if (state_.mode == Mode::Table) {
    if (const std::optional<bool> taken = pressInTable(key)) return *taken;
  }
  switch (key) {
    case Key::Enter:
    case Key::Yes:
    case Key::ShowAnswer: return false;
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
    case Key::Open:
      state_.openDialog = !state_.openDialog;
      state_.saveDialog = state_.exportDialog = false;
      break;
    case Key::Save:
      state_.saveDialog = !state_.saveDialog;
      state_.openDialog = state_.exportDialog = false;
      break;
    case Key::Export:
      state_.exportDialog = !state_.exportDialog;
      state_.openDialog = state_.saveDialog = false;
      break;
    case Key::Compare: return toggleMode(Mode::Compare);
    case Key::Table: return toggleMode(Mode::Table);
    case Key::Predict: return toggleMode(Mode::Predict);
    case Key::Escape: return escape();
    case Key::Present: state_.presenting = state_.laser = !state_.presenting; break;
    case Key::Laser: state_.laser = !state_.laser; break;
    case Key::Larger: return changeScale(1);
    case Key::Smaller: return changeScale(-1);
    case Key::OwnSize: state_.settings.scale = 1; break;
    case Key::StrategyBack:
    case Key::StrategyOn:
    case Key::FewerElements:
    case Key::MoreElements:
    case Key::Machine:
    case Key::Blocks: return chooseByKey(key);
    case Key::Luck:
      if (state_.hidesFuture()) return false;
      session.editor().tryLuck();
      break;
    case Key::LargeGpu: state_.gpuPanel.isLarge = !state_.gpuPanel.isLarge; break;
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
