#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/base/newest_job.h"

namespace lanescope {

/// What is asked of the system's dialog.
struct FileQuestion {
  enum class For : std::uint8_t { Open, Save } what = For::Open;
  std::string title;
  std::string path;                     ///< offered first: a file, or a folder with a slash at its end
  std::string kind{};                   ///< what the patterns are, for a reader
  std::vector<std::string> patterns{};  ///< `*.cu`; none: every file
};

/// What came of it.
struct FileAnswer {
  bool isWhole = false;  ///< false: there was no dialog, and ours is to ask
  std::string path;      ///< empty: it was closed without a choice
};

/// The desktop's own file dialog, zenity or kdialog, in a process of its own: the window goes on meanwhile.
class FileChooser {
 public:
  /// `wake` is called from another thread when take() has something.
  explicit FileChooser(std::function<void()> wake);

  /// Whether there is such a program; looked for once.
  bool isThere() const { return !program_.empty(); }
  bool busy() const { return job_.busy(); }
  /// Opens the dialog; one at a time.
  void ask(FileQuestion question) { job_.request(std::move(question)); }
  std::optional<FileAnswer> take() { return job_.take(); }

 private:
  std::string program_;
  NewestJob<FileQuestion, FileAnswer> job_;
};

/// The shell's command that asks with that program, whose name ends in `zenity` or `kdialog`.
std::string askingCommand(const std::string& program, const FileQuestion& question);

}  // namespace lanescope
