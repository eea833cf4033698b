#pragma once

#include <string>
#include <vector>

/// The axes of charts: which values they have a place for, and their ticks, a bounded number for any values.
namespace lanescope {

/// A value as a chart shows it: 0, which is not drawn, unless it is a number from 1e-30 to 1e30.
double charted(double value);

/// The first and last value of a logarithmic axis, both charted, and its position.
struct LogAxis {
  double low = 1;
  double high = 10;
  float start = 0;
  float end = 1;

  /// The position of a value, even past the ends.
  float at(double value) const;
  bool shows(double value) const { return value >= low * 0.9999 && value <= high * 1.0001; }
};

/// A number of elements: 1536 as `1.5K`, 2^20 as `1M`.
std::string sizeLabel(double value);

/// Values of 1, 2 or 5 times a power of ten, about `most` of them, evenly spread over [low, high].
std::vector<double> evenTicks(double low, double high, double most);

/// Powers of two, as many as labels `letters` long leave room for; between them, if there is more room,
/// halves or quarters. In no order.
std::vector<double> doublingTicks(const LogAxis& axis, float letters);

struct AxisTick {
  double value = 0;
  bool isMain = true;
  bool isLabelled = true;
};
/// 1, 2 and 5 times powers of ten, the powers as main ticks; less than a decade and a bit has evenTicks().
/// The axis runs upwards, `letters` is the height of a label.
std::vector<AxisTick> decimalTicks(const LogAxis& axis, float letters);

}  // namespace lanescope
