#pragma once

#include "app/scene/chart_scene.h"

namespace lanescope {

/// Which part of a line chart is shown: all of it until the wheel or a drag asks for less.
class ChartZoom {
 public:
  bool isZoomed() const { return x_.isSet() || y_.isSet(); }
  void reset() { x_ = y_ = {}; }

  /// Nearer for a wheel over 0, farther for one below, about what is at (x, y), logical pixels in the
  /// scene. Beside the plot, over an axis' numbers, only that axis changes.
  void wheel(const LineFrame& frame, float x, float y, float wheel);
  /// Moves what is shown along with a pointer that went that far. No farther than there is something.
  void pan(const LineFrame& frame, float dx, float dy);

  /// Says in the chart what is to be shown of it.
  void applyTo(LineChart& chart) const;

 private:
  ChartRange x_, y_;
};

}  // namespace lanescope
