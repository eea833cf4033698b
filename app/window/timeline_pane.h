#pragma once

#include <cstdint>
#include <vector>

#include "app/panels/base/view.h"
#include "app/panels/base/zoom.h"
#include "app/panels/line_unit.h"
#include "app/pictures/timeline_scene.h"

namespace lanescope {

/// The timeline in the window: its widths, its legend, the part in view, and scrubbing.
class TimelinePane {
 public:
  /// Its commands: the next width.
  static std::vector<Command> commands(ViewState& state);
  /// The width of the whole legend and the gap before the words right of it.
  static float legendWidth(const ViewContext& context);
  /// In the row above it, ending at `right`: the choice of widths, then the legend, left of it; as much of
  /// both as has room right of `least`.
  void drawRow(const ViewContext& context, float right, float least);
  void draw(const ViewContext& context, ImVec2 size);

 private:
  void syncReach(const ViewContext& context);
  float drawStepWidth(const ViewContext& context, float right, float least) const;

  Timeline timeline_;
  LineUnit unit_;
  std::vector<double> reach_;  ///< the steps' places; empty: all are equally wide
  TimelineZoom zoom_;
  bool scrubbing_ = false;
  float scrubY_ = 0;
};

}  // namespace lanescope
