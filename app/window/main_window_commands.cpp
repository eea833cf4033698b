// The commands that belong to no single view: dialogs, size, theme, presenting, and clearing a choice.
#include <algorithm>
#include <span>

#include <imgui_internal.h>

#include "app/panels/guide_follow.h"
#include "app/window/main_window.h"

namespace lanescope {
namespace {

const Theme& nextTheme(const Theme& theme) {
  const std::span<const Theme> all = themes();
  const auto index = static_cast<std::size_t>(&theme - all.data());
  return all[(index + 1) % all.size()];
}

}  // namespace

std::vector<Command> MainWindow::commands() {
  ViewState& state = state_;
  constexpr HelpGroup kFiles = HelpGroup::Text;
  const HelpLine sizes{"larger, smaller or standard text"};
  const auto dialog = [&state](Dialog which) {
    return [&state, which] { state.dialog = state.dialog == which ? Dialog::None : which; };
  };
  return {
      Command("open", {"Ctrl+O"}, {"open a kernel file or a session", kFiles}, "Open",
              "Open a kernel file, or drop one onto the window", {.whileTyping = true}, dialog(Dialog::Open)),
      Command("save", {"Ctrl+S"}, {"save the session or the text", kFiles}, "", "", {.whileTyping = true},
              dialog(Dialog::Save)),
      Command("export", {"E"}, {"export: pictures, a page that steps, counters, the trace", kFiles}, "Export",
              "Export pictures, a page that steps, counters or the trace", {}, dialog(Dialog::Export)),
      Command("present", {"F5"}, {"present: large type, no buttons; Esc ends it"}, "Present",
              "Large type, no buttons, the pointer as a spot of light", {.whileTyping = true},
              [&state] { state.presenting = state.laser = !state.presenting; }),
      Command("laser", {"S"}, {"the pointer as a spot of light"}, "Pointer as a spot of light", "", {},
              [&state] { state.laser = !state.laser; }),
      Command("full screen", {"F", "F11"}, {"full screen"}, "Full screen", "Full screen on and off",
              {.whileTyping = true, .inPopups = true},
              [this] {
                if (onFullScreen) onFullScreen();
              }),
      Command("larger text", {"Ctrl++"}, sizes, "larger", "", {.whileTyping = true},
              [this] { return changeScale(1); }, {"Ctrl+="}),
      Command("smaller text", {"Ctrl+-"}, sizes, "smaller", "", {.whileTyping = true},
              [this] { return changeScale(-1); }),
      Command("own text size", {"Ctrl+0"}, sizes, "standard", "", {.whileTyping = true},
              [&state] { state.settings.scale = 1; }),
      Command("theme", {"T"}, {"next theme"}, "", "Theme: dark, light, high contrast", {},
              [&state] { state.theme = &nextTheme(*state.theme); }),
      Command("help", {"?"}, {"this help"}, "?", "Keys", {}, [&state] { state.helpOpen = !state.helpOpen; },
              {"F1"}),
      Command("escape", {"Esc"}, {"closes what is open; lets go of what was clicked, or of a changed launch"},
              "", "", {.whileTyping = true, .inPopups = true}, [this] { return escape(); }),
  };
}

bool MainWindow::press(const Chord& chord) {
  const bool isTyping = takesText();
  if (isTyping && chord.writes()) return false;
  state_.notify("");
  const Command* command = commands_.meaning(chord, isTyping, popupShows());
  return command != nullptr && runCommand(state_, *command);
}

/// True if a list or a menu is open, which has the other keys.
bool MainWindow::popupShows() {
  return ImGui::GetCurrentContext() != nullptr && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

/// Closes or clears the topmost part that is open or chosen.
Refusal MainWindow::escape() {
  if (popupShows()) {
    closesPopups_ = true;
  } else if (state_.dialogOpen()) {
    state_.dialog = Dialog::None;
  } else if (state_.helpOpen) {
    state_.helpOpen = false;
  } else if (!state_.lessonSearch.empty()) {
    // The field with the caret would restore the text that it had when it got the focus.
    if (ImGui::GetCurrentContext() != nullptr) ImGui::ClearActiveID();
    state_.lessonSearch.clear();
  } else if (state_.typing) {
    state_.typing = false;
  } else if (errorShows()) {
    state_.session.dismissError();
  } else if (state_.session.editor().formIsChanged()) {
    // The field with the caret would restore the text that it had when it got the focus.
    if (ImGui::GetCurrentContext() != nullptr) ImGui::ClearActiveID();
    state_.session.editor().revertForm();
  } else if (std::ranges::any_of(views_, [&](const auto& view) { return view->close(state_); })) {
    return std::nullopt;
  } else if (state_.maximised) {
    state_.maximised.reset();
  } else if (state_.guides()) {
    leaveGuide(state_);
  } else if (state_.marks.isChosen()) {
    state_.marks.releaseMarks();
  } else if (state_.presenting) {
    state_.presenting = state_.laser = false;
  } else if (state_.mode != Mode::Explore) {
    state_.mode = Mode::Explore;
  } else {
    return "";
  }
  return std::nullopt;
}

// The next scale with a visible effect: several can look the same in a window without room for them.
Refusal MainWindow::changeScale(int by) {
  const ImVec2 size = ImGui::GetCurrentContext() == nullptr ? ImVec2(0, 0) : ImGui::GetIO().DisplaySize;
  const auto last = std::ssize(kScales) - 1;
  const auto* here = std::ranges::lower_bound(kScales, static_cast<float>(state_.settings.scale) - 0.01F);
  for (auto index = here - kScales.begin() + by; index >= 0 && index <= last; index += by) {
    const float next = kScales[static_cast<std::size_t>(index)];
    const float change = unitFor(size, next, state_.presenting) - unit(size);
    if (size.x > 0 && change * static_cast<float>(by) <= 0) continue;
    state_.settings.scale = next;
    return std::nullopt;
  }
  if (by < 0) return "The text is as small as it gets.";
  const std::string most = "The text is as large as this window allows";
  if (state_.presenting) return most + ".";
  return most + ": make the window larger, or present (" + keyText(state_, "present") + ").";
}

}  // namespace lanescope
