#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/pictures/base/scene_builder.h"

/// Common parts of charts: axes, their ticks, and lines that end at the plot's edge.
namespace lanescope {

inline constexpr float kLegendPitch = 15;  ///< units

/// The first and last value of a logarithmic axis, and its position.
struct LogAxis {
  double low = 1;
  double high = 10;
  float start = 0;
  float end = 1;

  /// The position of a value, even past the ends.
  float at(double value) const {
    const double share = (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    return start + (end - start) * static_cast<float>(std::clamp(share, -1e3, 1e3));
  }
  bool shows(double value) const { return value >= low * 0.9999 && value <= high * 1.0001; }
};

/// A number of elements: 1536 as `1.5K`, 2^20 as `1M`.
std::string sizeLabel(double value);

/// Values of 1, 2 or 5 times a power of ten, about `most` of them, evenly spread over [low, high].
std::vector<double> evenTicks(double low, double high, double most);

/// Cuts a line to a box (Liang and Barsky, 1984). Returns false if it is entirely outside.
bool cutLine(const Rect& box, float& x0, float& y0, float& x1, float& y1);

}  // namespace lanescope
