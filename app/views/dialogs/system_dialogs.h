#pragma once

#include <functional>

#include "app/views/base/view.h"
#include "app/views/dialogs/file_chooser.h"

namespace lanescope {

/// Opens and saves through the system's file dialog where there is one and it is wanted (ViewState), in place
/// of OpenDialog and SaveDialog. Nothing changes where it is closed without a choice.
class SystemDialogs {
 public:
  /// `wake` is called from another thread when a frame is to take an answer.
  explicit SystemDialogs(std::function<void()> wake) : chooser_(std::move(wake)) {}

  /// Call it before the dialogs are drawn: takes over the one that was asked for, and does what was answered.
  void follow(ViewState& state);

 private:
  void ask(ViewState& state);
  void answer(ViewState& state, const FileAnswer& answer);

  FileChooser chooser_;
  Dialog asked_ = Dialog::None;
  bool isBroken_ = false;  ///< there is a program, and it opens no dialog
};

}  // namespace lanescope
