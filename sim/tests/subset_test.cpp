// Every part of the subset against what the same text left behind on an NVIDIA H200.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>

#include "sim/base/json.h"
#include "sim/tests/golden_text.h"
#include "sim/tests/recorded_launches.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

std::shared_ptr<const SourceText> subset() {
  return std::make_shared<SourceText>("subset.cu", testing::dataText("subset.cu"));
}

Launch launchOfSubset(const std::string& kernel) {
  Launch launch{.source = subset(), .kernel = kernel};
  launch.grid.x = 2;
  launch.block.x = 64;
  launch.dynamicSharedBytes = 512;
  launch.arguments.push_back(parseArgument("u32:zero:128").value());
  return launch;
}

std::vector<Json> measured() {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/sim/tests/data/h200-subset.jsonl");
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(parseJson(line));
  return lines;
}

TEST(Subset, EveryKernelLeavesWhatItLeftOnTheGpu) {
  const std::vector<Json> lines = measured();
  EXPECT_EQ(lines.size(), 36u);
  for (const Json& line : lines) {
    SCOPED_TRACE(line["kernel"]);
    const auto simulation = simulate(launchOfSubset(line["kernel"]));
    ASSERT_TRUE(simulation.ok()) << simulation.error().sentence();
    const auto words = testing::elements<std::uint32_t>(*simulation, 0);
    for (std::size_t i = 0; i < line["first"].size(); ++i) EXPECT_EQ(words[i], line["first"][i]) << i;
    EXPECT_EQ(fmt::format("{:016x}", simulation->outputs[0].fnv1a), line["fnv1a"].get<std::string>());
  }
}

TEST(Subset, EveryKernelCanBeTraced) {
  for (const Json& line : measured()) {
    SCOPED_TRACE(line["kernel"]);
    const auto simulation = simulate(launchOfSubset(line["kernel"]));
    const auto trace = recordTrace(launchOfSubset(line["kernel"]), {1, 0, 0});
    ASSERT_TRUE(trace.ok()) << trace.error().sentence();
    EXPECT_FALSE(trace->steps.empty());
  }
}

TEST(Subset, PrintedTextsAreToldWithBlockThreadAndLine) {
  const auto simulation = simulate(launchOfSubset("prints"));
  ASSERT_TRUE(simulation.ok());
  ASSERT_EQ(simulation->printed.size(), 2u);
  EXPECT_EQ(simulation->printed[0].text, "block 0:  1.50 ff z\n");
  EXPECT_EQ(simulation->printed[1].text, "block 1:  1.50 ff z\n");
  EXPECT_EQ(simulation->printed[1].block, 1u);
  EXPECT_EQ(simulation->printed[1].thread, 3u);
  EXPECT_NE(subset()->line(simulation->printed[0].line).find("printf"), std::string_view::npos);
}

std::string describeFault(const std::string& body, std::uint32_t block = 64) {
  const auto simulation = simulate(
      testing::launchText("__global__ void k(int* out) {\n" + body + "\n}\n", block, {"i32:zero:64"}));
  return simulation.ok() ? "" : simulation.error().message;
}

TEST(Subset, AFailedAssertionNamesItsTextAndThread) {
  const std::string text = describeFault("assert(threadIdx.x < 9);");
  EXPECT_SAYS(text);
}

TEST(Subset, LocalArraysHaveTheirOwnBounds) {
  const std::string text =
      describeFault("int a[4]; int b[4]; b[0] = 1; a[threadIdx.x] = 2; out[0] = a[0] + b[0];");
  EXPECT_SAYS(text);
  EXPECT_NE(describeFault("int a[4]; a[(int)threadIdx.x - 1] = 2; out[0] = a[0];").find("a["),
            std::string::npos);
}

TEST(Subset, MisalignedVectorsAreFaults) {
  const std::string text = describeFault("int4 v = *(int4*)(out + 1); out[0] = v.x;");
  EXPECT_SAYS(text);
}

TEST(Subset, ADivergentSpinLoopEndsWithASentence) {
  Launch launch = testing::launchText(
      "__global__ void k(int* out) {\n while (atomicCAS(out, 0, 1) != 0) {}\n atomicExch(out, 0);\n}\n", 64,
      {"i32:zero:64"});
  launch.limits.warpInstructions = 100'000;
  const auto simulation = simulate(launch);
  ASSERT_FALSE(simulation.ok());
  EXPECT_SAYS(simulation.error().message);
}

}  // namespace
}  // namespace lanescope
