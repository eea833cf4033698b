#include "kernels/protocol/experiment_rules.h"

#include <memory>

namespace lanescope {

Error noSuchExperiment(std::string_view id) {
  std::string ids;
  for (const Experiment& experiment : experiments()) ids += (ids.empty() ? "" : ", ") + experiment.id;
  return Error{"There is no experiment '" + printable(id, 60) + "'.", "Choose from " + ids + "."};
}

Result<BenchRequest> makeBench(const ExperimentRequest& request) {
  const Experiment* const experiment = findExperiment(request.experiment);
  if (experiment == nullptr) return noSuchExperiment(request.experiment);
  BenchRequest bench;
  bench.run = request.run;
  bench.n = request.n > 0 ? request.n : experiment->n;
  bench.block = experiment->block;
  bench.type = experiment->type;
  bench.cold = !experiment->isWarm;
  bench.warm = experiment->isWarm;
  bench.maxSamples = request.maxSamples;
  if (bench.n > kMaxBenchN)
    return Error{"N = " + sizeText(bench.n) + " is over 2^31, where the kernels' 32-bit indices end."};
  return bench;
}

Result<std::vector<Contender>> makeContenders(const Experiment& experiment, const BenchRequest& request) {
  auto variants = makeVariants(experiment);
  if (!variants) return variants.error();
  std::vector<Contender> chosen;
  for (Variant& variant : *variants) {
    constexpr std::uint32_t kAnySms = 128;
    const auto shape = variant.shape(request.n, kAnySms, request.type);
    if (!shape) return shape.error();
    const auto owned = std::make_shared<const Variant>(std::move(variant));
    chosen.push_back({owned->series, &owned->strategy, owned->blocks, owned});
  }
  return chosen;
}

}  // namespace lanescope
