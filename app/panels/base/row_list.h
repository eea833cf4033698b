#pragma once

#include <cstddef>

#include <imgui.h>

namespace lanescope {

/// A list that scrolls by whole rows, all of one height: its first row is never cut in half.
class RowList {
 public:
  /// Begins the list as an ImGui child of that name, of `rows` rows of `pitch` pixels; end it with end(). A
  /// pitch is rounded to whole pixels, and rows are drawn without spacing between them.
  void begin(const char* name, float width, std::size_t rows, float pitch);
  void end();
  /// In whole pixels.
  float pitch() const { return pitch_; }
  /// Brings that row into sight, in the middle of the list if it was out of sight.
  void reveal(std::size_t row) const;

 private:
  float pitch_ = 1;
  float owed_ = 0;  ///< rows that the wheel has turned and that are not scrolled yet
};

}  // namespace lanescope
