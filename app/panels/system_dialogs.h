#pragma once

#include <functional>

#include "app/panels/base/view.h"
#include "app/panels/file_chooser.h"

namespace lanescope {

/// Opens and saves through the system's file dialog if there is one and ViewState asks for it, instead of
/// OpenDialog and SaveDialog. If it is closed without a choice, nothing changes.
class SystemDialogs {
 public:
  /// `wake` is called from another thread when a frame must handle an answer.
  explicit SystemDialogs(std::function<void()> wake) : chooser_(std::move(wake)) {}

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
