#include "app/analysis/experiment_times.h"

#include <algorithm>
#include <stdexcept>

namespace lanescope {

double ExperimentTimes::us(std::size_t variant) const {
  const auto& result = results[variant];
  return result && result->verified ? result->medianUs : 0;
}

bool ExperimentTimes::isComplete() const {
  return std::ranges::all_of(results, [](const auto& result) { return result && result->verified; });
}

ExperimentTimes readTimes(const Experiment& experiment, const BenchData& data, std::uint64_t n) {
  auto variants = makeVariants(experiment);
  if (!variants) throw std::invalid_argument(variants.error().sentence());
  ExperimentTimes times{&experiment, std::move(variants).value(), {}, {}};
  const CacheState cache = experiment.isWarm ? CacheState::Warm : CacheState::Cold;
  std::string date;
  for (const Variant& variant : times.variants) {
    const BenchSeries* const series =
        data.find({variant.series, n > 0 ? n : experiment.n, variant.block, cache, Scope::Kernel,
                   experiment.type, variant.strategy.takesBlocks() ? variant.blocks : 0});
    times.results.push_back(series == nullptr ? std::nullopt : series->result);
    if (series != nullptr && !series->date.empty()) date = series->date;
  }
  if (const auto& hello = data.hello())
    times.source = hello->gpu + ", " + (date.empty() ? hello->date : date);
  return times;
}

std::string factorNames(const Experiment& experiment) {
  std::string names;
  for (const ExperimentFactor& factor : experiment.factors)
    names += (names.empty() ? "" : ", ") + factor.name;
  return names;
}

std::string effectTitle(const Experiment& experiment, const Effect& effect) {
  const ExperimentFactor& factor = experiment.factors[effect.factor];
  return factor.name + ": " + factor.levels[effect.level].name + " instead of " + factor.levels.front().name;
}

std::string effectPlace(const Experiment& experiment, const Variant& variant, std::size_t factor) {
  std::string place;
  for (std::size_t f = 0; f < experiment.factors.size(); ++f) {
    if (f != factor)
      place += (place.empty() ? "" : ", ") + experiment.factors[f].levels[variant.levels[f]].name;
  }
  return place;
}

Result<Recording> shippedExperiments() {
  const auto path = shippedExperimentRecording();
  if (!path) return path.error();
  return loadRecording(*path);
}

}  // namespace lanescope
