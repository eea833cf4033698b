#include "app/pictures/chart_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/base/whole.h"

namespace lanescope {
namespace {

constexpr double kLeastCharted = 1e-30;
constexpr double kMostCharted = 1e30;
constexpr double kMostTicks = 100;  ///< of evenTicks()
constexpr double kDecade = 12;      ///< high over low: below it ticks are even

bool isCharted(const LogAxis& axis) { return charted(axis.low) > 0 && charted(axis.high) > 0; }

}  // namespace

double charted(double value) { return value >= kLeastCharted && value <= kMostCharted ? value : 0; }

float LogAxis::at(double value) const {
  const double share = (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
  return start + (end - start) * static_cast<float>(std::clamp(share, -1e3, 1e3));
}

std::string sizeLabel(double value) {
  constexpr std::array kUnits = {std::pair{0x1p30, "G"}, std::pair{0x1p20, "M"}, std::pair{0x1p10, "K"}};
  for (const auto& [one, letter] : kUnits) {
    if (value >= one) return fmt::format("{:.4g}{}", value / one, letter);
  }
  return fmt::format("{:.4g}", value);
}

std::vector<double> evenTicks(double low, double high, double most) {
  const double wanted = charted((high - low) / (most > 1 ? std::min(most, kMostTicks) : 1));
  if (wanted == 0) return {};
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  double step = 10 * power;
  for (const double digit : {5.0, 2.0, 1.0}) {
    if (digit * power >= wanted) step = digit * power;
  }
  const double first = std::ceil(low / step);
  std::vector<double> ticks;
  for (std::uint32_t i = 0; i <= kMostTicks && (first + i) * step <= high; ++i)
    ticks.push_back((first + i) * step);
  return ticks;
}

std::vector<double> doublingTicks(const LogAxis& axis, float letters) {
  if (!isCharted(axis)) return {};
  const int first = toWhole<int>(std::ceil(std::log2(axis.low) - 1e-6));
  const int last = toWhole<int>(std::floor(std::log2(axis.high) + 1e-6));
  const float pitch = axis.at(2) - axis.at(1);
  int stride = 1;
  while (static_cast<float>(stride) * pitch < letters && stride < last - first) ++stride;
  std::vector<double> ticks;
  for (int exponent = first; exponent <= last; exponent += stride) ticks.push_back(std::exp2(exponent));
  // Between them as many as have room: 1.75 and 2 lie closest.
  std::vector<double> between;
  if (pitch * std::log2(4.0F / 3) > letters) between = {1.5};
  if (pitch * std::log2(8.0F / 7) > letters) between = {1.25, 1.5, 1.75};
  for (int exponent = first - 1; exponent <= last; ++exponent) {
    for (const double times : between) {
      if (axis.shows(times * std::exp2(exponent))) ticks.push_back(times * std::exp2(exponent));
    }
  }
  return ticks;
}

std::vector<AxisTick> decimalTicks(const LogAxis& axis, float letters) {
  std::vector<AxisTick> ticks;
  if (!isCharted(axis)) return ticks;
  if (axis.high / axis.low < kDecade) {
    const auto most = static_cast<double>((axis.start - axis.end) / (2 * letters));
    for (const double value : evenTicks(axis.low, axis.high, most)) ticks.push_back({value});
    return ticks;
  }
  const bool isRoomy = axis.at(1) - axis.at(2) > letters;
  const int stride = std::max(1, toWhole<int>(std::ceil(letters / (axis.at(1) - axis.at(10)))));
  const int first = toWhole<int>(std::floor(std::log10(axis.low) + 1e-9));
  const int last = toWhole<int>(std::floor(std::log10(axis.high) + 1e-9));
  for (int decade = first; decade <= last; ++decade) {
    const bool isLabelled = (decade - first) % stride == 0;
    for (const int step : {1, 2, 5}) {
      const double value = step * std::pow(10.0, decade);
      if (axis.shows(value)) ticks.push_back({value, step == 1, step == 1 ? isLabelled : isRoomy});
    }
  }
  return ticks;
}

}  // namespace lanescope
