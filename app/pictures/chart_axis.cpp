#include "app/pictures/chart_axis.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace lanescope {

std::string sizeLabel(double value) {
  constexpr std::array kUnits = {std::pair{0x1p30, "G"}, std::pair{0x1p20, "M"}, std::pair{0x1p10, "K"}};
  for (const auto& [one, letter] : kUnits) {
    if (value >= one) return fmt::format("{:.4g}{}", value / one, letter);
  }
  return fmt::format("{:.4g}", value);
}

std::vector<double> evenTicks(double low, double high, double most) {
  const double wanted = (high - low) / std::max(most, 1.0);
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  double step = 10 * power;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= wanted) step = digit * power;
  }
  std::vector<double> ticks;
  for (double tick = std::ceil(low / step) * step; tick <= high; tick += step) ticks.push_back(tick);
  return ticks;
}

bool cutLine(const Rect& box, float& x0, float& y0, float& x1, float& y1) {
  const float dx = x1 - x0;
  const float dy = y1 - y0;
  float first = 0;
  float last = 1;
  const auto cut = [&](float along, float room) {
    if (along == 0) return room >= 0;
    const float share = room / along;
    if (along < 0) {
      first = std::max(first, share);
    } else {
      last = std::min(last, share);
    }
    return first <= last;
  };
  const bool isInside =
      cut(-dx, x0 - box.x) && cut(dx, box.right() - x0) && cut(-dy, y0 - box.y) && cut(dy, box.bottom() - y0);
  x1 = x0 + last * dx;
  y1 = y0 + last * dy;
  x0 += first * dx;
  y0 += first * dy;
  return isInside;
}

}  // namespace lanescope
