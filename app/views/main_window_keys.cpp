#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include <imgui_internal.h>

#include "app/views/main_window.h"
#include "app/views/notice.h"
#include "app/views/quiz_follow.h"
#include "app/views/top_bar_view.h"
#include "app/views/tour.h"

namespace lanescope {
namespace {

/// Keys that no text takes.
bool worksWhileTyping(Key key) {
  constexpr std::array<Key, 11> kKeys{Key::RunText, Key::Open,    Key::Save,    Key::Escape,
                                      Key::Compare, Key::Table,   Key::Predict, Key::Present,
                                      Key::Larger,  Key::Smaller, Key::OwnSize};
  return std::ranges::find(kKeys, key) != kKeys.end();
}

}  // namespace

bool MainWindow::toggleMode(Mode mode) {
  state_.mode = state_.mode == mode ? Mode::Explore : mode;
  return true;
}

void MainWindow::moveWarp(int by) {
  const Replay* replay = state_.session.replay();
  if (replay == nullptr || replay->trace().warps == 0) return;
  const std::optional<Step> step = replay->currentStep();
  const int warps = static_cast<int>(replay->trace().warps);
  const int now = state_.pinnedWarp >= 0 ? state_.pinnedWarp : step ? int{step->warp} : 0;
  state_.pinnedWarp = (now + by + warps) % warps;
}

/// Whether a list or a menu is open, which the other keys are for.
bool MainWindow::popupShows() {
  return ImGui::GetCurrentContext() != nullptr && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

/// Lets go of the topmost thing that is open or chosen; false where there is none.
bool MainWindow::escape() {
  if (popupShows()) {
    closesPopups_ = true;
  } else if (state_.dialogOpen()) {
    state_.openDialog = state_.saveDialog = state_.exportDialog = false;
  } else if (state_.helpOpen) {
    state_.helpOpen = false;
  } else if (state_.tourStep >= 0) {
    endTour(state_);
  } else if (state_.typing) {
    state_.typing = false;
  } else if (errorShows()) {
    state_.session.dismissError();
  } else if (state_.session.editor().formIsChanged()) {
    // The field that has the caret would put back what it held when it got it.
    if (ImGui::GetCurrentContext() != nullptr) ImGui::ClearActiveID();
    state_.session.editor().revertForm();
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

bool MainWindow::refuse(const char* sentence) {
  state_.tell(sentence);
  return false;
}

// The next scale that shows: several may come to the same in a window that has no room for them.
bool MainWindow::changeScale(int by) {
  const ImVec2 size = ImGui::GetCurrentContext() == nullptr ? ImVec2(0, 0) : ImGui::GetIO().DisplaySize;
  const auto last = std::ssize(kScales) - 1;
  const auto* here = std::ranges::lower_bound(kScales, static_cast<float>(state_.settings.scale) - 0.01F);
  for (auto index = here - kScales.begin() + by; index >= 0 && index <= last; index += by) {
    const float next = kScales[static_cast<std::size_t>(index)];
    const float change = unitFor(size, next, state_.presenting) - unit(size);
    if (size.x > 0 && change * static_cast<float>(by) <= 0) continue;
    state_.settings.scale = next;
    return true;
  }
  if (by < 0) return refuse("The text is as small as it gets.");
  return refuse(state_.presenting ? "The text is as large as this window allows."
                                  : "The text is as large as this window allows: make the window larger, or "
                                    "present (F5).");
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
    if (next == all.end())
      return refuse(key == Key::StrategyOn ? "This is the last strategy." : "This is the first strategy.");
    session.chooseStrategy(*next);
    return true;
  }
  if (chosen.strategy == nullptr && key != Key::Machine)
    return refuse("A file has a launch of its own: Launch, under the source, changes it.");
  if (key == Key::FewerElements || key == Key::MoreElements) {
    // Of a number between two of those that are offered: the next of them.
    const auto* here = std::ranges::lower_bound(kElementCounts, chosen.n);
    const bool isOffered = here != kElementCounts.end() && *here == chosen.n;
    const auto* next = key == Key::MoreElements && !isOffered
                           ? here
                           : neighbour(kElementCounts, here, key == Key::MoreElements ? 1 : -1);
    if (next == kElementCounts.end())
      return refuse(
          key == Key::MoreElements
              ? "These are the most elements that are offered: any other number is typed beside them."
              : "These are the fewest elements that are offered.");
    session.chooseElements(*next);
    return true;
  }
  if (key == Key::Machine) {
    const std::span<const MachineModel> all = machinePresets();
    const auto here = std::ranges::find(all, chosen.machine, [](const MachineModel& one) { return &one; });
    const auto next = neighbour(all, here, here == all.end() ? 0 : 1);
    session.chooseMachine(next == all.end() ? all.front() : *next);
    return true;
  }
  const std::vector<std::uint64_t> counts = session.blockCounts();
  if (counts.size() < 2) return refuse("No other number of blocks can share these elements.");
  const auto next = neighbour(counts, std::ranges::find(counts, chosen.blocks), 1);
  session.chooseBlocks(next == counts.end() ? counts.front() : *next);
  return true;
}

bool MainWindow::showBlock(int by) {
  Session& session = state_.session;
  const auto blocks = static_cast<std::int64_t>(session.selection().blocks);
  if (blocks < 2) return refuse("There is one block: O takes more.");
  const std::int64_t next = (std::int64_t{session.selection().block} + by + blocks) % blocks;
  session.chooseBlocks(session.selection().blocks, static_cast<std::uint32_t>(next));
  return true;
}

bool MainWindow::compareWithNext(int by) {
  if (state_.mode != Mode::Compare)
    return refuse("Nothing is compared: F2 puts two strategies side by side.");
  Comparison& comparison = state_.session.comparison();
  const std::span<const Strategy> all = strategies();
  const Strategy* here = comparison.strategy() == nullptr ? all.data() : comparison.strategy();
  const auto count = std::ssize(all);
  comparison.choose(&all[static_cast<std::size_t>(((here - all.data()) + by + count) % count)]);
  return true;
}

// What the buttons below the source do.
bool MainWindow::pressInSource(Key key) {
  if (!sourceShows()) return refuse("The source is not in sight: Esc goes back to it.");
  Session& session = state_.session;
  if (session.editor().current() == nullptr) return false;
  if (key == Key::Write) {
    state_.typing = true;
  } else if (key == Key::LaunchForm) {
    state_.asked = Asked::LaunchForm;
  } else {
    if (!session.editor().current()->isEdited()) return refuse("This is the text as it came.");
    session.resetText();
  }
  return true;
}

// What the buttons and lists of the GPU panel do.
bool MainWindow::pressInGpu(Key key, bool shift) {
  const bool hasPlace = state_.mode == Mode::Explore || state_.mode == Mode::Predict;
  if (!hasPlace || state_.presenting) return refuse("The GPU panel is not in sight: Esc goes back to it.");
  if (state_.isFolded || state_.sourceIsTall) state_.gpuPanel.isLarge = true;  // there was its heading alone
  switch (key) {
    case Key::GpuPage: state_.asked = shift ? Asked::GpuPageBack : Asked::GpuPageOn; break;
    case Key::GpuRun: state_.asked = shift ? Asked::GpuOther : Asked::GpuRun; break;
    case Key::GpuMenu: state_.asked = shift ? Asked::GpuCache : Asked::GpuMenu; break;
    case Key::GpuLists: state_.asked = shift ? Asked::GpuBlocks : Asked::GpuSizes; break;
    default: state_.asked = Asked::GpuGrids; break;
  }
  return true;
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
  state_.tell("");
  if (popupShows() && key != Key::Escape) return false;
  if (pressInQuiz(state_, key, takesText())) return true;
  if (takesText() && !worksWhileTyping(key)) return false;
  if (state_.tourStep >= 0 && !state_.dialogOpen() &&
      leadsTour(state_, key == Key::Right || key == Key::Space || key == Key::Enter, key == Key::Left))
    return true;
  if (state_.mode == Mode::Table) {
    if (const std::optional<bool> taken = pressInTable(key)) return *taken;
  }
  switch (key) {
    case Key::Enter:
      if (!session.editor().formIsChanged()) return false;
      session.run();
      break;
    case Key::Yes:
    case Key::ShowAnswer:
    case Key::ShowAnswerAnywhere: return false;
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
      if (state_.hidesFuture()) return refuse("While you predict, the verdict is hidden.");
      session.editor().tryLuck();
      break;
    case Key::ShownBlock: return showBlock(shift ? -1 : 1);
    case Key::OtherStrategy: return compareWithNext(shift ? -1 : 1);
    case Key::Write:
    case Key::LaunchForm:
    case Key::OwnText: return pressInSource(key);
    case Key::SaveScore:
      if (state_.mode != Mode::Predict) return refuse("There are no results: F4 asks for predictions.");
      state_.asked = Asked::SaveScore;
      break;
    case Key::Copy:
      if (state_.mode != Mode::Table) return refuse("The table can be copied: F3 shows it.");
      state_.asked = Asked::CopyTable;
      break;
    case Key::LargeGpu: state_.gpuPanel.isLarge = !state_.gpuPanel.isLarge; break;
    case Key::GpuPage:
    case Key::GpuRun:
    case Key::GpuMenu:
    case Key::GpuLists:
    case Key::GpuGrid: return pressInGpu(key, shift);
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
    case Key::Run: return runToBreakpoint(state_, !shift);
    case Key::Conflict: return runToKind(state_, StopKind::Conflict, !shift);
    case Key::Divergence: return runToKind(state_, StopKind::Divergence, !shift);
    case Key::Hazard: return runToKind(state_, StopKind::Hazard, !shift);
    case Key::Barrier: return runToKind(state_, StopKind::Barrier, !shift);
    case Key::StopOnLine:
      if (session.replay() == nullptr || !session.replay()->currentStep()) return false;
      session.stops().toggleLine(session.replay()->currentStep()->line);
      break;
  }
  return true;
}

}  // namespace lanescope
