#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/base/executor.h"
#include "app/export/exporter.h"
#include "app/panels/base/view.h"
#include "app/panels/file_dialogs.h"

namespace lanescope {

/// True if it would show more of the run than a window that hides the answers to predictions.
bool revealsAnswers(ExportKind kind, bool hidesFuture);

/// Exports the screen's content: a picture, the whole walk, counters or the trace, to a path that is typed or
/// chosen. It is written in the background, shows its progress if there are many frames, can be cancelled,
/// and reports the outcome in a sentence.
class ExportDialog {
 public:
  /// The executor's owner is woken when the outcome needs a frame to be shown.
  explicit ExportDialog(ExecutorPtr executor) : executor_(executor), exporter_(std::move(executor)) {}

  /// Draws it over a window of that size if it is the open one.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void resetKinds(Mode mode);
  void drawKinds(const ViewContext& context);
  void drawFormat(const ViewContext& context);
  bool drawPath(const ViewContext& context);
  void drawButtons(const ViewContext& context, bool isEntered);
  void drawChooser(const ViewContext& context);
  void drawProgress(const ViewContext& context) const;
  std::string suggestion(const ViewContext& context) const;
  std::string ending() const;
  void syncChoice(const ViewContext& context);
  void write(const ViewContext& context);

  ExecutorPtr executor_;
  Exporter exporter_;
  std::optional<FileChooser> chooser_;  ///< made when it is first needed
  ExportKind kind_ = ExportKind::Picture;
  Picture picture_ = Picture::All;
  bool png_ = false;
  float scale_ = 2;  ///< of PNGs
  std::string path_;
  std::string suggested_;  ///< the value of path_ until another is typed
  std::string note_;
  bool isBad_ = false;
  bool wasOpen_ = false;
  bool wantsFocus_ = false;
};

}  // namespace lanescope
