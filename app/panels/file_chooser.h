#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/base/newest_job.h"

namespace lanescope {

/// The parameters of the system's dialog.
struct FileQuestion {
  enum class For : std::uint8_t { Open, Save } what = For::Open;
  std::string title;
  std::string path;                     ///< offered first: a file, or a folder with a slash at its end
  std::string kind{};                   ///< a readable name for the patterns
  std::vector<std::string> patterns{};  ///< `*.cu`; if empty, every file
};

/// The dialog's answer.
struct FileAnswer {
  bool isWhole = false;  ///< if false, there was no dialog, and ours must be shown
  std::string path;      ///< empty if it was closed without a choice
};

/// The desktop's file dialog, zenity or kdialog, in a separate process: the window keeps running.
class FileChooser {
 public:
  /// `wake` is called from another thread when take() has a value.
  explicit FileChooser(std::function<void()> wake);

  /// True if there is such a program; searched only once.
  bool isPresent() const { return !program_.empty(); }
  bool busy() const { return job_.busy(); }
  /// Opens the dialog; one at a time.
  void ask(FileQuestion question) { job_.request(std::move(question)); }
  std::optional<FileAnswer> consume() { return job_.consume(); }

 private:
  std::string program_;
  NewestJob<FileQuestion, FileAnswer> job_;
};

/// The shell command that opens that program, whose name must end in `zenity` or `kdialog`.
std::string askingCommand(const std::string& program, const FileQuestion& question);

}  // namespace lanescope
