#pragma once

#include <optional>

#include "app/pictures/chart_scene.h"
#include "app/pictures/chart_zoom.h"
#include "app/panels/base/widgets.h"

namespace lanescope {

/// Lines over N that the wheel zooms, a drag moves, and Shift and a drag zoom to a box.
class GpuLineChart {
 public:
  /// Draws them at ImGui's cursor, in `layout`'s size; returns the drawn picture.
  Scene draw(const ViewContext& context, LineChart lines, const SceneContext& layout);

 private:
  void dragBox(const ViewContext& context, const LineFrame& frame, const SceneInput& input);
  void drawReset(const ViewContext& context, ImVec2 corner);

  ChartZoom zoom_;
  std::optional<ImVec2> boxFrom_;  ///< a corner of the box while it is drawn, in the chart
};

}  // namespace lanescope
