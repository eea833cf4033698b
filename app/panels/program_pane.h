#pragma once

#include <string>
#include <vector>

#include "app/panels/base/row_list.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// The whole program of the current file: its output, and its launches. A click on a launch traces it.
class ProgramPane {
 public:
  /// "Run program", its key and its button.
  std::vector<Command> commands(ViewState& state);
  /// True if it was opened, and the current file is the program's.
  bool isOpen(const ViewContext& context) const;
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void start(ViewState& state);
  void drawHead(const ViewContext& context, float width);
  void drawLaunches(const ViewContext& context, const ProgramOutcome& outcome, float height);
  void drawLaunch(const ViewContext& context, const ProgramLaunch& launch);
  void drawOutput(const ViewContext& context, const ProgramOutcome& outcome, ImVec2 size);

  bool isOpen_ = false;
  std::string arguments_;
  std::size_t shownOutput_ = 0;  ///< bytes, in the previous frame
  RowList list_;
};

}  // namespace lanescope
