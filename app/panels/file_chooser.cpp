#include "app/panels/file_chooser.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "app/base/child_process.h"

namespace lanescope {
namespace {

constexpr int kBetweenLooksMs = 200;  ///< at whether the window closes

std::string findDialog() {
  for (const char* const name : {"zenity", "kdialog"}) {
    if (const auto found = findProgram(name)) return found->string();
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

FileChooser::FileChooser(std::function<void()> wake)
    : program_(findDialog()),
      job_(
          [program = program_](const FileQuestion& question, const std::stop_token& stop) {
            return readAnswer(askingCommand(program, question), stop);
          },
          std::move(wake)) {}

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

}  // namespace lanescope
