#pragma once

#include "app/views/base/view.h"

namespace lanescope {

/// The launch of the text at hand, entry by entry: kernel, template arguments, grid, block, dynamic shared
/// memory, an argument a parameter. What is wrong with an entry is said below it.
class LaunchFormView {
 public:
  bool isOpen() const { return isOpen_; }
  void toggle() { isOpen_ = !isOpen_; }
  /// Draws the form in that size and scrolls what does not fit: at first it shows whole entries alone.
  void draw(const ViewContext& context, ImVec2 size);
  /// Height that everything takes, as it was last drawn.
  float height() const { return height_; }

 private:
  bool isOpen_ = false;
  bool seeksFault_ = false;  ///< the next frame brings the first one into view
  float height_ = 0;
  float rowsFrom_ = 0;  ///< where the first entry is, from the form's top
};

}  // namespace lanescope
