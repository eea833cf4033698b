// The simulator against what an NVIDIA H200 counted: every number, exactly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/base/json.h"
#include "sim/tests/recorded_launches.h"

namespace lanescope {
namespace {

using testing::dataLines;
using testing::launchOfLine;

void expectCounters(const Json& line, const Simulation& simulation) {
  std::map<std::string, std::uint64_t> counted;
  for (const NamedCounter& counter : nsightCounters(simulation.counters))
    counted[std::string(counter.name)] = counter.value;
  for (const auto& [name, value] : line["expect"].items()) {
    ASSERT_TRUE(counted.contains(name)) << name;
    EXPECT_EQ(counted[name], value.get<std::uint64_t>()) << name;
  }
}

void expectOutput(const Json& line, const Simulation& simulation) {
  if (!line.contains("output_fnv1a")) return;
  bool found = false;
  for (const OutputSummary& output : simulation.outputs) {
    if (output.argument != line["output_arg"].get<std::size_t>()) continue;
    found = true;
    EXPECT_EQ(fmt::format("{:016x}", output.fnv1a), line["output_fnv1a"].get<std::string>());
    EXPECT_EQ(output.sum, line["output_sum"].get<double>());
  }
  EXPECT_TRUE(found);
}

TEST(HardwareCounters, EveryLaunchOfTheReferenceKernelsIsExact) {
  int exact = 0;
  for (const Json& line : dataLines("h200-counters.jsonl")) {
    const std::string kernel = line["kernel"];
    SCOPED_TRACE(kernel + " " + line["block"].dump() + " " + line["args"].dump());
    const auto simulation = simulate(launchOfLine(line));
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    expectCounters(line, *simulation);
    expectOutput(line, *simulation);
    ++exact;
  }
  EXPECT_EQ(exact, 78);
}

/// Atomics whose result is used, compare-and-swap, and reductions of other types.
TEST(HardwareCounters, EveryLaunchOfTheAtomicsIsExact) {
  int exact = 0;
  for (const Json& line : dataLines("h200-atomics.jsonl")) {
    SCOPED_TRACE(line["kernel"].dump() + " " + line["args"].dump());
    const auto simulation = simulate(launchOfLine(line));
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    expectCounters(line, *simulation);
    ++exact;
  }
  EXPECT_EQ(exact, 63);
}

/// The project's own texts against what the hardware counted of those very texts.
TEST(HardwareCounters, EveryStrategyCountsAsTheHardwareDid) {
  int exact = 0;
  for (const Json& line : dataLines("h200-strategies.jsonl")) {
    const Strategy* strategy = findStrategy(line["strategy"].get<std::string>());
    ASSERT_NE(strategy, nullptr);
    SCOPED_TRACE(line.dump());
    const std::uint64_t blocks = line["grid"];
    const std::uint64_t threads = line["block"];
    const auto launch =
        makeLaunch(*strategy, blocks * threads * strategy->elementsPerThread, blocks, machinePresets()[0]);
    ASSERT_TRUE(launch.ok());
    const auto simulation = simulate(*launch);
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    EXPECT_EQ(line["expect"].size(), 9u);
    expectCounters(line, *simulation);
    ++exact;
  }
  EXPECT_EQ(exact, 18);
}

}  // namespace
}  // namespace lanescope
