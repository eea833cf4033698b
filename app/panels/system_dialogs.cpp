#include "app/panels/system_dialogs.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/workbench/saved_session.h"
#include "app/panels/files.h"

namespace lanescope {

void SystemDialogs::syncTo(ViewState& state) {
  if (!state.usesSystemDialogs || isBroken_ || !chooser_.isPresent()) return;
  if (state.dialog == Dialog::Open || state.dialog == Dialog::Save) ask(state);
  if (const std::optional<FileAnswer> given = chooser_.consume()) answer(state, *given);
}

void SystemDialogs::ask(ViewState& state) {
  const Dialog which = std::exchange(state.dialog, Dialog::None);
  if (chooser_.busy()) return;
  asked_ = which;
  if (which == Dialog::Save) {
    chooser_.ask({FileQuestion::For::Save,
                  "Save the session (.lanescope) or the kernel's text",
                  startingSavePath(state),
                  {}});
    return;
  }
  std::error_code failure;
  const std::string here = std::filesystem::current_path(failure).string();
  chooser_.ask({FileQuestion::For::Open,
                "Open a kernel or a session",
                here + "/",
                "Kernels and sessions",
                {"*.cu", "*.cuh", "*.cpp", "*.h", "*" + std::string(kSessionEnding)}});
}

void SystemDialogs::answer(ViewState& state, const FileAnswer& answer) {
  if (!answer.isWhole) {
    isBroken_ = true;
    state.dialog = asked_;
    return;
  }
  if (answer.path.empty()) return;
  if (asked_ == Dialog::Open) return openPath(state, answer.path);
  if (const std::optional<Error> error = savePath(state, answer.path)) return state.notify(error->sentence());
  state.notify("Saved " + answer.path + ".");
}

}  // namespace lanescope
