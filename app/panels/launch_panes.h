#pragma once

#include <string>
#include <vector>

#include "app/panels/base/view.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

/// The launch of the current text, entry by entry: kernel, template arguments, grid, block, dynamic shared
/// memory, and one argument per parameter. An entry's fault is shown below it.
class LaunchFormView {
 public:
  bool isOpen() const { return isOpen_; }
  void toggle() { isOpen_ = !isOpen_; }
  /// Draws the form in that size and scrolls if it is too small. At first it shows only whole entries.
  void draw(const ViewContext& context, ImVec2 size);
  /// The total height, as it was last drawn.
  float height() const { return height_; }

 private:
  bool isOpen_ = false;
  bool seeksFault_ = false;  ///< the next frame scrolls the first one into view
  float height_ = 0;
  float rowsFrom_ = 0;  ///< the first entry's y position, from the form's top
};

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
