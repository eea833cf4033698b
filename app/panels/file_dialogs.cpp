#include "app/panels/file_dialogs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <imgui_stdlib.h>
#include <poll.h>
#include <unistd.h>

#include "app/base/child_process.h"
#include "app/launch/kernel_file.h"
#include "app/paint/imgui_compat.h"
#include "app/panels/base/widgets.h"
#include "app/panels/gpu_words.h"
#include "app/panels/scenes.h"
#include "app/workbench/saved_state.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kMostSessionBytes = std::uint64_t{16} << 20U;

std::optional<Error> openSession(ViewState& state, const std::string& path) {
  const Result<std::string> text = readKernelFile(*state.session.host(), path, kMostSessionBytes);
  if (!text) return text.error();
  const Result<SavedSession> saved = parseSession(*text);
  if (!saved) return saved.error();
  if (std::optional<Error> error = restoreScene(state, *saved)) return error;
  if (!saved->scenes.empty()) state.scenes = {saved->scenes, std::nullopt};
  state.session.editor().wasSaved(path);
  return std::nullopt;
}

}  // namespace

void openPath(ViewState& state, const std::string& typed) {
  const std::string path = state.session.host()->absolutePath(typed);
  if (path.ends_with(kSessionEnding)) {
    if (const std::optional<Error> error = openSession(state, path)) return state.session.reportError(*error);
  } else {
    state.session.openFile(path);
  }
  if (!state.session.error().empty()) return;
  state.settings.remember(path);
  if (state.mode == Mode::Table) state.mode = Mode::Explore;  // it has rows for strategies only
}

std::optional<Error> savePath(ViewState& state, const std::string& typed) {
  const std::string path = state.session.host()->absolutePath(typed);
  const Document* document = state.session.editor().current();
  if (document == nullptr) return Error{"No kernel to save yet.", "Open one first (Ctrl+O)."};
  std::optional<Error> error;
  if (path.ends_with(kSessionEnding)) {
    SavedSession saved = captureScene(state);
    saved.scenes = state.scenes.scenes;
    error = state.session.host()->writeLasting(path, sessionText(saved));
  } else {
    error = state.session.host()->writeLasting(path, document->buffer.text());
  }
  if (error) return error;
  state.session.editor().wasSaved(path);
  state.settings.remember(path);
  return std::nullopt;
}

std::string startingSavePath(const ViewState& state) {
  const Document* document = state.session.editor().current();
  if (document != nullptr && document->strategy == nullptr) return document->path;
  const std::filesystem::path here = state.session.host()->resolve(".");
  const std::string name = document == nullptr ? "walk" : std::string(document->strategy->id);
  return ((here.empty() ? "/" : here) / (name + std::string(kSessionEnding))).string();
}

namespace {

constexpr int kBetweenLooksMs = 200;  ///< at whether the window closes

std::string findDialog(const Host& host) {
  for (const char* const name : {"zenity", "kdialog"}) {
    if (const auto found = host.findProgram(name)) return found->string();
  }
  return {};
}

/// The process's whole output, until it ends or must stop.
std::string readOutput(const ChildProcess& process, const std::stop_token& stop) {
  std::string text;
  std::array<char, 4096> bytes;
  while (!stop.stop_requested()) {
    pollfd ready{process.output.get(), POLLIN, 0};
    if (poll(&ready, 1, kBetweenLooksMs) == 0) continue;
    const ssize_t count = read(process.output.get(), bytes.data(), bytes.size());
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// Both programs end with 0 and a path, or with 1 if nothing was chosen.
FileAnswer readAnswer(const std::string& command, const std::stop_token& stop) {
  auto process = ChildProcess::start("exec " + command + " 2>/dev/null");
  if (!process) return {};
  std::string path = readOutput(*process, stop);
  const std::optional<ProcessEnd> end = process->ended(std::chrono::milliseconds(1000));
  if (!end || end->bySignal || end->code > 1) return {};
  while (path.ends_with('\n')) path.pop_back();
  return {true, end->code == 0 ? path : ""};
}

}  // namespace

FileChooser::FileChooser(ExecutorPtr executor, const Host& host)
    : program_(findDialog(host)),
      job_(std::move(executor),
           [program = program_](const FileQuestion& question, const std::stop_token& stop) {
             return readAnswer(askingCommand(program, question), stop);
           }) {}

std::string askingCommand(const std::string& program, const FileQuestion& question) {
  const bool saves = question.what == FileQuestion::For::Save;
  std::string patterns;
  for (const std::string& pattern : question.patterns) patterns += (patterns.empty() ? "" : " ") + pattern;
  const std::string title = quotedForShell(question.title);
  if (program.ends_with("kdialog")) {
    return quotedForShell(program) + " --title " + title +
           (saves ? " --getsavefilename " : " --getopenfilename ") + quotedForShell(question.path) +
           (patterns.empty() ? "" : " " + quotedForShell(patterns));
  }
  return quotedForShell(program) + " --file-selection --title=" + title +
         " --filename=" + quotedForShell(question.path) + (saves ? " --save --confirm-overwrite" : "") +
         (patterns.empty() ? ""
                           : " --file-filter=" + quotedForShell(question.kind + " | " + patterns) +
                                 " --file-filter='All files | *'");
}

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

void OpenDialog::look(const Host& host) {
  if (path_ == looked_) return;
  looked_ = path_;
  completions_ = completePath(host, path_, kMostCompletions);
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

void OpenDialog::begin(const Host& host) {
  wantsFocus_ = true;
  fresh_ = 3;
  looked_ = "?";  // the folder can have changed meanwhile
  if (!path_.empty()) return;
  const std::filesystem::path here = host.resolve(".");
  path_ = here.empty() ? "/" : here.string() + (here.has_relative_path() ? "/" : "");
}

void OpenDialog::draw(const ViewContext& context, ImVec2 size) {
  if (context.state.dialog != Dialog::Open) {
    wasOpen_ = false;
    return;
  }
  if (!std::exchange(wasOpen_, true)) begin(*context.session().host());
  look(*context.session().host());
  beginDialog(context, "open dialog", "OPEN A KERNEL OR A SESSION", "Tab completes, Enter opens, Esc closes",
              size);
  const bool isEntered = drawField(context);
  look(*context.session().host());
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

namespace {

/// True if the file on the disk is, byte for byte, the text that the document began with.
bool isAsOpened(const Host& host, const Document* document, const std::string& path) {
  if (document == nullptr || document->strategy != nullptr || document->path != path) return false;
  const Result<std::string> text = host.read(path, document->original->text().size());
  return text && *text == document->original->text();
}

}  // namespace

void SaveDialog::save(const ViewContext& context) {
  wantsFocus_ = true;
  const Host& host = *context.session().host();
  const std::string path = host.withHome(path_);
  const Document* document = context.session().editor().current();
  if (warned_ != path_ && host.kindOf(path) != Host::FileKind::None && !isAsOpened(host, document, path)) {
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

void SystemDialogs::syncTo(ViewState& state) {
  if (!state.usesSystemDialogs || isBroken_ || !chooser_.isPresent()) return;
  if (state.dialog == Dialog::Open || state.dialog == Dialog::Save) ask(state);
  if (const std::optional<FileAnswer> reply = chooser_.consume()) answer(state, *reply);
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
  const std::string here = state.session.host()->resolve(".").string();
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
