#pragma once

#include "app/panels/base/view.h"

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

}  // namespace lanescope
