#pragma once

#include "app/pictures/chart_scene.h"

namespace lanescope {

/// The part of a line chart that is shown: all of it until the user turns the wheel or drags.
class ChartZoom {
 public:
  bool isZoomed() const { return x_.isSet() || y_.isSet(); }
  void reset() { x_ = y_ = {}; }

  /// Zooms in for a positive wheel, out for a negative one, around (x, y), logical pixels in the scene.
  /// Beside the plot, over an axis' numbers, only that axis changes.
  void wheel(const LineFrame& frame, float x, float y, float wheel);
  /// Moves the shown part along with a pointer that moved that far, at most to the end of the data.
  void pan(const LineFrame& frame, float dx, float dy);

  /// Shows the part between two corners of a box, logical pixels in the scene, in any order, as far as it is
  /// inside the plot. Ignores a box that is narrower or lower than kLeastBox.
  void box(const LineFrame& frame, float x0, float y0, float x1, float y1);
  static constexpr float kLeastBox = 6;

  /// Sets the shown part in the chart.
  void applyTo(LineChart& chart) const;

 private:
  ChartRange x_, y_;
};

}  // namespace lanescope
