#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "app/launch/strategy_launch.h"
#include "sim/machine/run/launch.h"
#include "sim/trace/trace.h"

/// Launches and results that several tests of the simulator need.
namespace lanescope::testing {

inline std::shared_ptr<const SourceText> makeSource(std::string code) {
  return std::make_shared<SourceText>("test.cu", std::move(code));
}

/// A launch of a text's only kernel, with arguments as the command line writes them.
inline Launch launchText(std::string code, std::uint32_t block, const std::vector<std::string>& arguments) {
  Launch launch{.source = makeSource(std::move(code))};
  launch.block.x = block;
  for (const std::string& spec : arguments) launch.arguments.push_back(parseArgument(spec).value());
  return launch;
}

/// A strategy at N elements and one block; the test ends where that is no launch.
inline Launch strategyLaunch(std::string_view id, std::uint64_t n, std::string_view machine) {
  auto launch = makeLaunch(*findStrategy(id), n, 1, *findMachine(machine));
  EXPECT_TRUE(launch.ok()) << (launch.ok() ? "" : launch.error().sentence());
  return *launch;
}

/// The elements of a buffer of a simulation.
template <class T>
std::vector<T> elements(const Simulation& simulation, std::size_t buffer) {
  std::vector<T> values(simulation.buffers[buffer].size() / sizeof(T));
  std::memcpy(values.data(), simulation.buffers[buffer].data(), values.size() * sizeof(T));
  return values;
}

}  // namespace lanescope::testing
