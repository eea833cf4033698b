#include "app/panels/files.h"

#include <array>
#include <filesystem>

#include "app/base/write_file.h"
#include "app/workbench/saved_session.h"
#include "app/launch/kernel_file.h"

namespace lanescope {
namespace {

struct ModeName {
  Mode mode;
  const char* name;
};
constexpr std::array<ModeName, 4> kModeNames{{{Mode::Explore, "explore"},
                                              {Mode::Compare, "compare"},
                                              {Mode::Table, "table"},
                                              {Mode::Predict, "predict"}}};
constexpr std::uint64_t kMostSessionBytes = std::uint64_t{16} << 20U;

std::optional<Error> openSession(ViewState& state, const std::string& path) {
  const Result<std::string> text = readKernelFile(path, kMostSessionBytes);
  if (!text) return text.error();
  const Result<SavedSession> saved = parseSession(*text);
  if (!saved) return saved.error();
  if (std::optional<Error> error = state.session.restore(*saved)) return error;
  state.marks.thread = saved->thread;
  state.marks.warp = saved->warp;
  state.marks.variable = saved->variable;
  state.comparesWarps = saved->comparesWarps;
  if (state.session.error().empty()) state.markedGeneration = state.session.generation() + 1;
  state.mode = Mode::Explore;
  for (const ModeName& one : kModeNames) {
    if (saved->mode == one.name) state.mode = one.mode;
  }
  return std::nullopt;
}

/// With the working folder before it, if there is one.
std::string absolutePath(const std::string& typed) {
  std::error_code failure;
  const std::filesystem::path path = withHome(typed);
  const std::filesystem::path absolute = std::filesystem::absolute(path, failure);
  return (failure ? path : absolute).lexically_normal().string();
}

std::string nameFor(Mode mode) {
  for (const ModeName& one : kModeNames) {
    if (one.mode == mode) return one.name;
  }
  return kModeNames[0].name;
}

}  // namespace

void openPath(ViewState& state, const std::string& typed) {
  const std::string path = absolutePath(typed);
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
  const std::string path = absolutePath(typed);
  const Document* document = state.session.editor().current();
  if (document == nullptr) return Error{"There is nothing to save yet.", ""};
  std::optional<Error> error;
  if (path.ends_with(kSessionEnding)) {
    SavedSession saved = state.session.saved();
    saved.thread = state.marks.thread;
    saved.warp = state.marks.warp;
    saved.variable = state.marks.variable;
    saved.comparesWarps = state.comparesWarps;
    saved.mode = nameFor(state.mode);
    error = writeFile(path, sessionText(saved));
  } else {
    error = writeFile(path, document->buffer.text());
    if (!error) state.session.editor().wasSaved(path);
  }
  if (!error) state.settings.remember(path);
  return error;
}

std::string startingSavePath(const ViewState& state) {
  const Document* document = state.session.editor().current();
  if (document != nullptr && document->strategy == nullptr) return document->path;
  std::error_code failure;
  const std::filesystem::path here = std::filesystem::current_path(failure);
  const std::string name = document == nullptr ? "walk" : std::string(document->strategy->id);
  return ((failure ? std::filesystem::path("/") : here) / (name + std::string(kSessionEnding))).string();
}

}  // namespace lanescope
