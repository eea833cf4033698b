#include "kernels/protocol/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanescope {
namespace {

double quantileOfSorted(std::span<const double> sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

}  // namespace

Quartiles quartiles(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return {quantileOfSorted(sorted, 0.25), quantileOfSorted(sorted, 0.5), quantileOfSorted(sorted, 0.75)};
}

Summary summarise(std::span<const double> samples) {
  const Quartiles all = quartiles(samples);
  const double fence = std::max(3.0 * all.range(), 0.05 * all.median);
  std::vector<double> kept;
  kept.reserve(samples.size());
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(kept),
               [&](double sample) { return sample >= all.q1 - fence && sample <= all.q3 + fence; });
  return {quartiles(kept), kept.size(), samples.size() - kept.size()};
}

double medianNoise(std::span<const double> samples) {
  const Quartiles q = quartiles(samples);
  if (samples.size() < 2 || q.median <= 0) return 1.0;
  return 1.57 * q.range() / std::sqrt(static_cast<double>(samples.size())) / q.median;
}

bool enoughSamples(std::span<const double> samples, const StoppingRule& rule) {
  if (samples.size() >= rule.maxSamples) return true;
  return samples.size() >= rule.minSamples && medianNoise(samples) < rule.noise;
}

}  // namespace lanescope
