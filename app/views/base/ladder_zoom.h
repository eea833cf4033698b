#pragma once

#include <cstdint>

#include "app/views/base/widgets.h"

namespace lanescope {

/// Which columns and rows of a ladder are in view. The wheel zooms the columns at the pointer, a drag moves
/// them, a double click shows all again. Where rows are more than the panel holds, a bar at its right shows
/// which they are and can be dragged, and Shift and the wheel move them, until another phase is under way.
class LadderZoom {
 public:
  /// Writes what is in view to the scene's context; another generation is another trace, all of it in view.
  void apply(SceneContext& layout, const Replay& replay, const PicturePlan& plan, std::uint64_t generation);
  /// Shows the scene that was laid out so, with the bar, and takes what the pointer did there.
  void show(const ViewContext& context, const Scene& scene, const char* id);

  /// Columns in view: the first, and how many; 0: all.
  std::uint32_t first() const { return static_cast<std::uint32_t>(first_); }
  std::uint32_t count() const { return count_; }
  /// The first row in view, where they were moved; else -1.
  std::int64_t firstRow() const { return firstRow_; }

 private:
  void take(const SceneInput& input, float width);
  void zoom(float share, float wheel);
  void moveRows(const RowsInView& rows, double first);
  /// The bar's part of a scene's right margin, in the scene's coordinates.
  void takeBar(const ViewContext& context, const Scene& scene);
  void drawBar(const ViewContext& context, const Scene& scene, ImVec2 origin) const;

  double first_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t columns_ = 0;  ///< of the whole ladder
  std::uint64_t generation_ = 0;
  std::int64_t firstRow_ = -1;
  std::uint32_t phase_ = 0;  ///< under way when the rows were moved
  double grabbed_ = 0;       ///< rows from the first in view to the place where the bar was taken
  bool isGrabbed_ = false, isPointedAt_ = false;
};

}  // namespace lanescope
