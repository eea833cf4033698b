// Every kernel of every experiment, as the simulator runs it.
#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "sim/memory/device_memory.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

/// The sums of what a launch reads, and of what it leaves in its second buffer, in double.
std::pair<double, double> computeSums(const Launch& launch, const Simulation& simulation) {
  const auto sum = [&](std::size_t buffer) {
    return computeSum(simulation.buffers[buffer], launch.arguments[buffer].type);
  };
  return {sum(0), sum(1)};
}

TEST(ExperimentsSimulated, EveryVariantIsRightAndWithoutHazards) {
  for (const Experiment& experiment : experiments()) {
    const auto variants = makeVariants(experiment);
    ASSERT_TRUE(variants.ok()) << variants.error().sentence();
    for (const Variant& variant : *variants) {
      if (variant.work != HostWork::None) continue;  // nothing to simulate
      const auto launch = makeLaunch(variant, experiment);
      ASSERT_TRUE(launch.ok()) << variant.series << ": " << launch.error().sentence();
      const auto run = runLaunch(*launch);
      ASSERT_TRUE(run.ok()) << variant.series << ": " << run.error().sentence();
      ASSERT_FALSE(run->fault) << variant.series << ": " << run->fault->error.sentence();
      const auto [in, out] = computeSums(*launch, run->simulation);
      EXPECT_EQ(in, out) << variant.series;
      EXPECT_GT(in, 0) << variant.series;
      ASSERT_TRUE(run->hazards) << variant.series;
      EXPECT_TRUE(run->hazards->hazards.empty()) << variant.series;
    }
  }
}

}  // namespace
}  // namespace lanescope
