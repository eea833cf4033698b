#pragma once

#include "app/scene/charts/chart_scene.h"

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

  /// Shows what lies between two corners of a box, logical pixels in the scene, in any order; what is outside
  /// the plot is left out. Nothing happens where the box is narrower or lower than kLeastBox.
  void box(const LineFrame& frame, float x0, float y0, float x1, float y1);
  static constexpr float kLeastBox = 6;

  /// Says in the chart what is to be shown of it.
  void applyTo(LineChart& chart) const;

 private:
  ChartRange x_, y_;
};

}  // namespace lanescope
