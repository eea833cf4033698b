#pragma once

#include <string>

#include "app/panels/base/view.h"

namespace lanescope {

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

}  // namespace lanescope
