#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/export/exporter.h"
#include "app/views/base/view.h"
#include "app/views/dialogs/file_chooser.h"

namespace lanescope {

/// Whether that shows more of the run than a window which hides what is to be predicted.
bool revealsAnswers(ExportKind kind, bool hidesFuture);

/// Takes away what is on the screen: a picture, the whole walk, counters or the trace, to a path that is
/// typed or chosen. It is written in the background, with its progress where it is many frames, can be
/// cancelled, and a sentence says what became of it.
class ExportDialog {
 public:
  /// `wake` is called from another thread when a frame would show what became of it.
  explicit ExportDialog(std::function<void()> wake) : wake_(wake), exporter_(std::move(wake)) {}

  /// Draws it over a window of that size while it is the one that is open.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void takeKindsOf(Mode mode);
  void drawKinds(const ViewContext& context);
  void drawFormat(const ViewContext& context);
  bool drawPath(const ViewContext& context);
  void drawButtons(const ViewContext& context, bool isEntered);
  void drawChooser(const ViewContext& context);
  void drawProgress(const ViewContext& context) const;
  std::string suggestion(const ViewContext& context) const;
  std::string ending() const;
  void followChoice(const ViewContext& context);
  void write(const ViewContext& context);

  std::function<void()> wake_;
  Exporter exporter_;
  std::optional<FileChooser> chooser_;  ///< made when it may be asked for
  ExportKind kind_ = ExportKind::Picture;
  Picture picture_ = Picture::All;
  bool png_ = false;
  float scale_ = 2;  ///< of PNGs
  std::string path_;
  std::string suggested_;  ///< what path_ is while nobody has typed another
  std::string note_;
  bool isBad_ = false;
  bool wasOpen_ = false;
  bool wantsFocus_ = false;
};

}  // namespace lanescope
