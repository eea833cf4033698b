#pragma once

#include "app/pictures/grid_scene.h"
#include "app/panels/base/ladder_zoom.h"
#include "app/panels/base/view.h"

namespace lanescope {

/// The note beside the map of the grid.
GridNote gridNote(const ViewContext& context);

/// The ladder of the block's shared memory; below it the blocks of a grid: a click on one traces it. The
/// wheel zooms at the pointer, a drag moves, a double click shows all again. If there are more rows than fit,
/// the bar scrolls them.
class ArrayView final : public View {
 public:
  std::string_view name() const override { return "array"; }
  Place place() const override { return Place::Array; }
  bool fillsPanel() const override { return true; }
  void draw(const ViewContext& context, ImVec2 size) override;

 private:
  LadderZoom zoom_;
  Scene scene_;  ///< shown last
};

}  // namespace lanescope
