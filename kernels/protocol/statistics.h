#pragma once

#include <cstddef>
#include <span>

/// Statistics of a series of times. Pure functions; times are in any one unit.
namespace lanescope {

struct Quartiles {
  double q1 = 0;
  double median = 0;
  double q3 = 0;

  double range() const { return q3 - q1; }
};

/// Median and quartiles by linear interpolation between order statistics (Hyndman & Fan's type 7, the
/// default of R and NumPy). All 0 for no samples.
Quartiles quartiles(std::span<const double> samples);

/// A series summarised: without its outliers, and their number.
struct Summary {
  Quartiles quartiles;
  std::size_t used = 0;
  std::size_t discarded = 0;
};

/// Leaves out samples beyond Tukey's outer fences, 3 interquartile ranges from the quartiles, and summarises
/// the rest. A fence is at least 5 % of the median away: CUDA's events tick coarsely, and among samples that
/// all fall on one tick the neighbouring tick is not an outlier.
Summary summarise(std::span<const double> samples);

/// Half the width of the 95 % confidence interval of the median, relative to the median: 1.57 times
/// the interquartile range over the square root of the count (the notch of a box plot; McGill, Tukey,
/// Larsen 1978). 1 for fewer than two samples.
double medianNoise(std::span<const double> samples);

/// The conditions for the end of sampling.
struct StoppingRule {
  std::size_t minSamples = 10;
  std::size_t maxSamples = 40;
  double noise = 0.005;  ///< stop once medianNoise is below this
};

/// True if the series needs no more samples: it is at the cap, or past the least count and quiet.
bool enoughSamples(std::span<const double> samples, const StoppingRule& rule);

}  // namespace lanescope
