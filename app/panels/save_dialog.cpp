#include "app/panels/save_dialog.h"

#include <filesystem>
#include <utility>

#include <imgui_stdlib.h>

#include "app/paint/imgui_compat.h"
#include "app/workbench/saved_session.h"
#include "app/launch/kernel_file.h"
#include "app/panels/base/widgets.h"
#include "app/panels/files.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;

/// True if the file on the disk is, byte for byte, the text that the document began with.
bool isAsOpened(const Document* document, const std::string& path) {
  if (document == nullptr || document->strategy != nullptr || document->path != path) return false;
  std::error_code failure;
  if (std::filesystem::file_size(path, failure) != document->original->text().size()) return false;
  const Result<std::string> text = readKernelFile(path, kMostBytes);
  return text && *text == document->original->text();
}

}  // namespace

void SaveDialog::save(const ViewContext& context) {
  wantsFocus_ = true;
  std::error_code failure;
  const std::string path = withHome(path_);
  const Document* document = context.session().editor().current();
  if (warned_ != path_ && std::filesystem::exists(path, failure) && !isAsOpened(document, path)) {
    const bool isOwn = document != nullptr && document->strategy == nullptr && document->path == path;
    warned_ = path_;
    note_ =
        isOwn
            ? "'" + path_ +
                  "' is not as this window writes it: it was changed meanwhile, or has tabs, other line ends "
                  "or other letters than UTF-8's. Enter once more replaces it."
            : "There is a '" + path_ + "' already: Enter once more replaces it.";
    return;
  }
  if (const std::optional<Error> error = savePath(context.state, path_)) {
    note_ = error->sentence();
    return;
  }
  context.state.dialog = Dialog::None;
  context.state.notify("Saved as '" + path_ + "'.");
}

void SaveDialog::draw(const ViewContext& context, ImVec2 size) {
  if (context.state.dialog != Dialog::Save) {
    wasOpen_ = false;
    return;
  }
  if (!std::exchange(wasOpen_, true)) {
    path_ = startingSavePath(context.state);
    warned_.clear();
    note_.clear();
    wantsFocus_ = true;
  }
  beginDialog(context, "save dialog", "SAVE", "Enter saves, Esc closes", size);
  if (std::exchange(wantsFocus_, false)) focusNextItem();
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const bool isEntered = ImGui::InputText("##save path", &path_, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopFont();
  wrappedText(context,
              path_.ends_with(kSessionEnding)
                  ? "The session: text, launch, machine, the place in the walk and the breakpoints."
                  : "The kernel's text alone. A name that ends with .lanescope keeps the whole session.",
              ColorRole::TextDim);
  const float height = ImGui::GetFrameHeight();
  const bool isPressed = pill(context, "Save", true, pillWidth(context, "Save"), height);
  ImGui::SameLine();
  if (pill(context, "Cancel", false, pillWidth(context, "Cancel"), height))
    context.state.dialog = Dialog::None;
  if ((isEntered || isPressed) && !path_.empty()) save(context);
  if (!note_.empty()) wrappedText(context, note_, ColorRole::Bad);
  endOverlay();
}

}  // namespace lanescope
