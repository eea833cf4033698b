#pragma once

#include <string>
#include <vector>

#include "app/panels/base/row_list.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// Asks for a kernel file: a path that completes, with its completions below.
class OpenDialog {
 public:
  /// Draws the dialog over a window of that size if it is the open one.
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void begin();
  void look();
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

}  // namespace lanescope
