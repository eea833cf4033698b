#pragma once

#include <string>

#include "app/views/base/view.h"

namespace lanescope {

/// Asks where to save the session or the text at hand. What is there already is replaced only when asked
/// twice.
class SaveDialog {
 public:
  /// Draws it over a window of that size while it is the one that is open.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void save(const ViewContext& context);

  std::string path_;
  std::string warned_;  ///< a path that is there already, as was said
  std::string note_;
  bool wasOpen_ = false;
  bool wantsFocus_ = false;
};

}  // namespace lanescope
