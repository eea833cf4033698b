#include "app/paint/tests/colour_vision.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lanescope {
namespace {

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double labCurve(double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; }

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// 0 to 360.
double computeHue(double a, double b) {
  if (a == 0 && b == 0) return 0;
  const double degrees = std::atan2(b, a) * 180 / std::numbers::pi;
  return degrees < 0 ? degrees + 360 : degrees;
}

double meanHue(double first, double second, bool grey) {
  const double sum = first + second;
  if (grey) return sum;
  if (std::abs(first - second) <= 180) return sum / 2;
  return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

}  // namespace

const std::array<Vision, 4>& visions() {
  static const std::array<Vision, 4> kVisions{{
      {"full colour vision", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
      {"protanopia",
       {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
      {"deuteranopia",
       {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
      {"tritanopia",
       {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
  }};
  return kVisions;
}

Lab seen(Rgba color, const Vision& vision) {
  const std::array<double, 3> rgb{linear(color.r), linear(color.g), linear(color.b)};
  std::array<double, 3> v{};
  for (std::size_t row = 0; row < 3; ++row) {
    const auto& m = vision.matrix[row];
    v[row] = std::clamp(m[0] * rgb[0] + m[1] * rgb[1] + m[2] * rgb[2], 0.0, 1.0);
  }
  const double x = labCurve((0.4124564 * v[0] + 0.3575761 * v[1] + 0.1804375 * v[2]) / 0.95047);
  const double y = labCurve(0.2126729 * v[0] + 0.7151522 * v[1] + 0.0721750 * v[2]);
  const double z = labCurve((0.0193339 * v[0] + 0.1191920 * v[1] + 0.9503041 * v[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double colourDifference(const Lab& first, const Lab& second) {
  const double power25 = std::pow(25.0, 7);
  const double mean = (std::hypot(first.a, first.b) + std::hypot(second.a, second.b)) / 2;
  const double g = 0.5 * (1 - std::sqrt(std::pow(mean, 7) / (std::pow(mean, 7) + power25)));
  const double a1 = (1 + g) * first.a;
  const double a2 = (1 + g) * second.a;
  const double c1 = std::hypot(a1, first.b);
  const double c2 = std::hypot(a2, second.b);
  const double h1 = computeHue(a1, first.b);
  const double h2 = computeHue(a2, second.b);
  const bool grey = c1 * c2 == 0;
  double turn = h2 - h1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  const double dL = second.l - first.l;
  const double dC = c2 - c1;
  const double dH = grey ? 0 : 2 * std::sqrt(c1 * c2) * std::sin(radians(turn / 2));
  const double light = (first.l + second.l) / 2 - 50;
  const double chroma = (c1 + c2) / 2;
  const double hue = meanHue(h1, h2, grey);
  const double t = 1 - 0.17 * std::cos(radians(hue - 30)) + 0.24 * std::cos(radians(2 * hue)) +
                   0.32 * std::cos(radians(3 * hue + 6)) - 0.20 * std::cos(radians(4 * hue - 63));
  const double sL = 1 + 0.015 * light * light / std::sqrt(20 + light * light);
  const double sC = 1 + 0.045 * chroma;
  const double sH = 1 + 0.015 * chroma * t;
  const double blue = 30 * std::exp(-std::pow((hue - 275) / 25, 2));
  const double rotation =
      -2 * std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + power25)) * std::sin(radians(2 * blue));
  return std::sqrt(std::pow(dL / sL, 2) + std::pow(dC / sC, 2) + std::pow(dH / sH, 2) +
                   rotation * dC / sC * dH / sH);
}

}  // namespace lanescope
