#pragma once

#include <cstdint>

#include "app/panels/base/widgets.h"

namespace lanescope {

/// The columns and rows of a ladder that are in view. The wheel zooms the columns at the pointer, a drag
/// moves them, a double click shows all again. If there are more rows than the panel holds, a bar at its
/// right shows the rows in view and can be dragged, and Shift and the wheel move them, until the phase
/// changes.
class LadderZoom {
 public:
  /// Writes the rows in view to the scene's context. If the generation changes, the trace is another one, and
  /// all of it comes into view.
  void apply(SceneContext& layout, const Replay& replay, const PicturePlan& plan, std::uint64_t generation);
  /// Shows the scene with that layout and the bar, and handles the pointer there.
  void show(const ViewContext& context, const Scene& scene, const char* id);

  /// Columns in view: the first, and how many; 0: all.
  std::uint32_t first() const { return static_cast<std::uint32_t>(first_); }
  std::uint32_t count() const { return count_; }
  /// The first row in view if the rows were moved, else -1.
  std::int64_t firstRow() const { return firstRow_; }

 private:
  void receive(const SceneInput& input, float width);
  void zoom(float share, float wheel);
  void moveRows(const RowsInView& rows, double first);
  /// The bar's part of a scene's right margin, in the scene's coordinates.
  void handleBar(const ViewContext& context, const Scene& scene);
  void drawBar(const ViewContext& context, const Scene& scene, ImVec2 origin) const;

  double first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t columns_ = 0;  ///< of the whole ladder
  std::uint64_t generation_ = 0;
  std::int64_t firstRow_ = -1;
  std::uint32_t phase_ = 0;  ///< the current phase when the rows were moved
  double grabbed_ = 0;       ///< rows from the first in view to the point where the bar was grabbed
  bool isGrabbed_ = false, isPointedAt_ = false;
};

}  // namespace lanescope
