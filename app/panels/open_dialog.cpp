#include "app/panels/open_dialog.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <imgui_stdlib.h>

#include "app/paint/imgui_compat.h"
#include "app/launch/kernel_file.h"
#include "app/panels/base/widgets.h"
#include "app/panels/files.h"
#include "app/panels/titles.h"

namespace lanescope {
namespace {

constexpr std::size_t kMostCompletions = 200;
constexpr std::size_t kRows = 10;

/// Tab: as far as all completions agree.
int complete(ImGuiInputTextCallbackData* data) {
  const auto& common = *static_cast<const std::string*>(data->UserData);
  if (common.empty()) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, common.c_str());
  return 0;
}

}  // namespace

void OpenDialog::look() {
  if (path_ == looked_) return;
  looked_ = path_;
  completions_ = completePath(path_, kMostCompletions);
  common_ = commonStart(completions_);
}

void OpenDialog::choose(const ViewContext& context, const std::string& path) {
  wantsFocus_ = true;
  if (path.ends_with('/')) {
    path_ = path;
    return;
  }
  openPath(context.state, path);
  if (context.session().error().empty()) context.state.dialog = Dialog::None;
}

/// The path's field; true if Enter was pressed.
bool OpenDialog::drawField(const ViewContext& context) {
  if (wantsFocus_) focusNextItem();
  wantsFocus_ = false;
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(context.fonts.of(FontRole::Mono));
  const bool isEntered = ImGui::InputTextWithHint(
      "##path", "/path/to/kernel.cu", &path_,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
          (std::exchange(fresh_, std::max(fresh_ - 1, 0)) > 0 ? ImGuiInputTextFlags_AutoSelectAll : 0),
      complete, &common_);
  ImGui::PopFont();
  return isEntered;
}

/// The completions of the path; returns the one that was clicked, or "".
std::string OpenDialog::drawCompletions(const ViewContext& context) {
  std::string chosen;
  list_.begin("completions listing", 0, kRows, ImGui::GetTextLineHeightWithSpacing());
  for (const std::string& path : completions_) {
    const std::size_t folder = path.size() < 2 ? std::string::npos : path.find_last_of('/', path.size() - 2);
    const std::string name = folder == std::string::npos ? path : path.substr(folder + 1);
    ImGui::PushID(path.c_str());
    if (ImGui::Selectable(name.c_str(), false, 0, ImVec2(0, list_.pitch()))) chosen = path;
    ImGui::PopID();
  }
  if (completions_.empty()) label(context, "No folder or kernel file begins with this.", ColorRole::TextDim);
  list_.end();
  return chosen;
}

/// The files that were opened or saved last; returns the one that was clicked, or "".
std::string OpenDialog::drawRecent(const ViewContext& context) {
  std::string chosen;
  const std::vector<std::string>& recent = context.state.settings.recent;
  if (recent.empty()) return chosen;
  ImGui::Separator();
  heading(context, "RECENT");
  const std::size_t shown = std::min<std::size_t>(recent.size(), 5);
  for (std::size_t i = 0; i < shown; ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(recent[i].c_str())) chosen = recent[i];
    ImGui::PopID();
  }
  return chosen;
}

void OpenDialog::begin() {
  wantsFocus_ = true;
  fresh_ = 3;
  looked_ = "?";  // the folder can have changed meanwhile
  if (!path_.empty()) return;
  std::error_code failure;
  const std::filesystem::path here = std::filesystem::current_path(failure);
  path_ = failure ? "/" : here.string() + (here.has_relative_path() ? "/" : "");
}

void OpenDialog::draw(const ViewContext& context, ImVec2 size) {
  if (context.state.dialog != Dialog::Open) {
    wasOpen_ = false;
    return;
  }
  if (!std::exchange(wasOpen_, true)) begin();
  look();
  beginDialog(context, "open dialog", "OPEN A KERNEL OR A SESSION", "Tab completes, Enter opens, Esc closes",
              size);
  const bool isEntered = drawField(context);
  look();
  std::string chosen = drawCompletions(context);
  if (const std::string recent = drawRecent(context); !recent.empty()) chosen = recent;
  const float height = ImGui::GetFrameHeight();
  const bool isPressed = pill(context, "Open", true, pillWidth(context, "Open"), height);
  if (isEntered || isPressed) chosen = path_;
  ImGui::SameLine();
  if (pill(context, "Cancel", false, pillWidth(context, "Cancel"), height))
    context.state.dialog = Dialog::None;
  if (!context.session().error().empty())
    wrappedText(context, withTitles(context.session().error()), ColorRole::Bad);
  if (!chosen.empty()) choose(context, chosen);
  endOverlay();
}

}  // namespace lanescope
