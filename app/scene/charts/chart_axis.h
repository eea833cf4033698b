#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/scene/base/scene_builder.h"

/// What charts have in common: axes, their ticks, and lines that end at the plot's edge.
namespace lanescope {

inline constexpr float kLegendPitch = 15;  ///< units

/// Where a logarithmic axis starts and ends, and where it lies.
struct LogAxis {
  double low = 1;
  double high = 10;
  float start = 0;
  float end = 1;

  /// Where a value lies: past the ends too.
  float at(double value) const {
    const double share = (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    return start + (end - start) * static_cast<float>(std::clamp(share, -1e3, 1e3));
  }
  bool shows(double value) const { return value >= low * 0.9999 && value <= high * 1.0001; }
};

/// A number of elements: 1536 as `1.5K`, 2^20 as `1M`.
std::string sizeLabel(double value);

/// Values of 1, 2 or 5 times a power of ten, about `most` of them evenly over [low, high].
std::vector<double> evenTicks(double low, double high, double most);

/// Cuts a line to a box; false where nothing of it is inside (Liang and Barsky, 1984).
bool cutLine(const Rect& box, float& x0, float& y0, float& x1, float& y1);

}  // namespace lanescope
