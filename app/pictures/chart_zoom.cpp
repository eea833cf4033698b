#include "app/pictures/chart_zoom.h"

#include <algorithm>
#include <cmath>

namespace lanescope {
namespace {

constexpr double kStep = 0.8;    ///< of the shown part, for one notch of the wheel
constexpr double kLeastX = 2;    ///< high over low: N doubles from point to point
constexpr double kLeastY = 1.1;  ///< ten per cent

/// A part of `all` whose logarithm is `span` long and starts at `low`, moved to lie inside. Not set if it is
/// all of it.
ChartRange within(double low, double span, ChartRange all) {
  const double first = std::log(all.low);
  const double last = std::log(all.high);
  if (span >= (last - first) * 0.999) return {};
  low = std::clamp(low, first, last - span);
  return {std::exp(low), std::exp(low + span)};
}

ChartRange nearer(ChartRange shown, ChartRange all, double share, double factor, double least) {
  const double low = std::log(shown.low);
  const double span = std::log(shown.high) - low;
  const double wanted = std::max(span * factor, std::min(span, std::log(least)));
  return within(low + share * (span - wanted), wanted, all);
}

ChartRange moved(ChartRange shown, ChartRange all, double share) {
  const double low = std::log(shown.low);
  const double span = std::log(shown.high) - low;
  return within(low + share * span, span, all);
}

/// The values between two shares of an axis, at least `least` high over low, around their middle.
ChartRange between(ChartRange shown, ChartRange all, double from, double to, double least) {
  const double low = std::log(shown.low);
  const double length = std::log(shown.high) - low;
  const double span = std::max((to - from) * length, std::min(length, std::log(least)));
  return within(low + (from + to) / 2 * length - span / 2, span, all);
}

}  // namespace

void ChartZoom::wheel(const LineFrame& frame, float x, float y, float wheel) {
  if (frame.isEmpty()) return;
  const double factor = std::pow(kStep, static_cast<double>(wheel));
  const double shareX = std::clamp((x - frame.left) / (frame.right - frame.left), 0.0F, 1.0F);
  const double shareY = std::clamp((frame.bottom - y) / (frame.bottom - frame.top), 0.0F, 1.0F);
  if (x >= frame.left) x_ = nearer(frame.x, frame.allX, shareX, factor, kLeastX);
  if (y <= frame.bottom) y_ = nearer(frame.y, frame.allY, shareY, factor, kLeastY);
}

void ChartZoom::pan(const LineFrame& frame, float dx, float dy) {
  if (frame.isEmpty() || !isZoomed()) return;
  if (x_.isSet()) x_ = moved(frame.x, frame.allX, -dx / (frame.right - frame.left));
  if (y_.isSet()) y_ = moved(frame.y, frame.allY, dy / (frame.bottom - frame.top));
}

void ChartZoom::box(const LineFrame& frame, float x0, float y0, float x1, float y1) {
  if (frame.isEmpty()) return;
  const float left = std::clamp(std::min(x0, x1), frame.left, frame.right);
  const float right = std::clamp(std::max(x0, x1), frame.left, frame.right);
  const float top = std::clamp(std::min(y0, y1), frame.top, frame.bottom);
  const float bottom = std::clamp(std::max(y0, y1), frame.top, frame.bottom);
  if (right - left < kLeastBox || bottom - top < kLeastBox) return;
  const double width = frame.right - frame.left;
  const double height = frame.bottom - frame.top;
  x_ = between(frame.x, frame.allX, (left - frame.left) / width, (right - frame.left) / width, kLeastX);
  y_ = between(frame.y, frame.allY, (frame.bottom - bottom) / height, (frame.bottom - top) / height, kLeastY);
}

void ChartZoom::applyTo(LineChart& chart) const {
  chart.xRange = x_;
  chart.yRange = y_;
}

}  // namespace lanescope
