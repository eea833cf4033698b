#include "sim/machine/run/simulate.h"

#include "sim/machine/run/execution.h"

namespace lanescope {

Result<Simulation> simulate(const Launch& launch, unsigned threads, Pace pace) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  Execution execution(launch, std::move(*prepared), threads, pace);
  execution.runTo(launch.grid.count());
  if (execution.fault()) return execution.error();
  return execution.consume();
}

}  // namespace lanescope
