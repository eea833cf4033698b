#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/newest_job.h"
#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

/// Opens a kernel file or a session file, and remembers it. If it fails, the session's error() says why.
void openPath(ViewState& state, const std::string& path);

/// Writes the session (to a path that ends with .lanescope) or the current text (to any other), and remembers
/// the path. The error is one sentence.
std::optional<Error> savePath(ViewState& state, const std::string& path);

/// The path that saving suggests first: the file's, or else the strategy's name in the working folder.
std::string startingSavePath(const ViewState& state);

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
  /// The executor's owner is woken when consume() has a value.
  FileChooser(ExecutorPtr executor, const Host& host);

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

/// Asks for a kernel file: a path that completes, with its completions below.
class OpenDialog {
 public:
  /// Draws the dialog over a window of that size if it is the open one.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void begin(const Host& host);
  void look(const Host& host);
  bool drawField(const ViewContext& context);
  static std::string drawRecent(const ViewContext& context);
  std::string drawCompletions(const ViewContext& context);
  void choose(const ViewContext& context, const std::string& path);

  std::string path_;
  std::string looked_ = "?";  ///< the path that the completions continue
  std::vector<std::string> completions_;
  RowList list_;
  std::string common_;
  bool wasOpen_ = false;
  bool wantsFocus_ = false;
  int fresh_ = 0;  ///< frames in which the field, after getting the focus, still selects its text
};

/// Asks for a path to save the session or the current text to. An existing file is replaced only after a
/// second request.
class SaveDialog {
 public:
  /// Draws it over a window of that size if it is the open one.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void save(const ViewContext& context);

  std::string path_;
  std::string warned_;  ///< the existing path that the warning was about
  std::string note_;
  bool wasOpen_ = false;
  bool wantsFocus_ = false;
};

/// Opens and saves through the system's file dialog if there is one and ViewState asks for it, instead of
/// OpenDialog and SaveDialog. If it is closed without a choice, nothing changes.
class SystemDialogs {
 public:
  /// The executor's owner is woken when a frame must handle an answer.
  SystemDialogs(ExecutorPtr executor, const Host& host) : chooser_(std::move(executor), host) {}

  /// Call it before the dialogs are drawn: takes over a requested dialog, and carries out its answer.
  void syncTo(ViewState& state);

 private:
  void ask(ViewState& state);
  void answer(ViewState& state, const FileAnswer& answer);

  FileChooser chooser_;
  Dialog asked_ = Dialog::None;
  bool isBroken_ = false;  ///< there is a program, and it opens no dialog
};

}  // namespace lanescope
