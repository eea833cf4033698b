#include "app/session/launch/experiment_launch.h"

#include "app/session/launch/strategy_launch.h"

namespace lanescope {

Result<Launch> launchOf(const Variant& variant, const Experiment& experiment) {
  const auto shape = variant.shape(experiment.simulatedN, 1, experiment.type);
  if (!shape) return shape.error();
  return launchOf(variant.strategy, *shape, machinePresets().front());
}

}  // namespace lanescope
