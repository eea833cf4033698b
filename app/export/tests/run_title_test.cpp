// What a run is called where it is taken away: what is not the strategy's own is said.
#include "app/export/run_title.h"

#include <memory>

#include <gtest/gtest.h>

#include "app/session/launch/kernel_cache.h"
#include "app/session/launch/strategy_launch.h"

namespace lanescope {
namespace {

Launch launchOfOwn(const char* strategy, std::uint64_t n, std::uint64_t blocks = 1) {
  return launchOf(*findStrategy(strategy), n, blocks, *findMachine("nvidia")).value();
}

RunTitle titleOf(const char* strategy, std::uint64_t n, const Launch& launch, std::uint64_t blocks = 1) {
  const Dim3 first{0, 0, 0};
  const Strategy& own = *findStrategy(strategy);
  return titleOfRun(own, n, blocks, launch, KernelCache().factsOf(own, launch.source), &first);
}

void edit(Launch& launch) {
  launch.source = std::make_shared<SourceText>("x.cu", std::string(launch.source->text()) + "// more\n");
}

TEST(RunTitle, OfTheStrategysOwnIsItsN) {
  const RunTitle own = titleOf("no-divergence", 64, launchOfOwn("no-divergence", 64));
  EXPECT_EQ(own.text, "No divergence, N = 64 on nvidia");
  EXPECT_EQ(own.name, "no-divergence-n64");
  EXPECT_TRUE(own.isOwn);
  const RunTitle blocks = titleOf("no-divergence", 64, launchOfOwn("no-divergence", 64, 4), 4);
  EXPECT_EQ(blocks.text, "No divergence, N = 64, block 1 of 4 on nvidia");
  EXPECT_EQ(
      titleOfRun(*findStrategy("no-divergence"), 64, 4, launchOfOwn("no-divergence", 64, 4), {}, nullptr)
          .text,
      "No divergence, N = 64, 4 blocks on nvidia");
  for (const Strategy& strategy : strategies()) {
    const auto launch = launchOf(strategy, 64, 1, *findMachine("nvidia"));
    if (!launch) continue;
    EXPECT_TRUE(titleOfRun(strategy, 64, 1, *launch, {}, nullptr).isOwn) << strategy.id;
  }
}

TEST(RunTitle, SaysThatTheTextWasEdited) {
  Launch launch = launchOfOwn("baseline", 64);
  edit(launch);
  const RunTitle title = titleOf("baseline", 64, launch);
  EXPECT_EQ(title.text, "Baseline (edited), N = 64 on nvidia");
  EXPECT_EQ(title.name, "baseline-edited-n-64");
  EXPECT_FALSE(title.isOwn);
}

TEST(RunTitle, NamesAnotherElementWithoutCallingItAnEdit) {
  const Strategy& baseline = *findStrategy("baseline");
  Launch launch = launchOf(baseline, 64, 1, *findMachine("nvidia"), ElementType::Int).value();
  EXPECT_EQ(titleOf("baseline", 64, launch).text, "Baseline, int, N = 64 on nvidia");
  edit(launch);
  EXPECT_EQ(titleOf("baseline", 64, launch).text, "Baseline (edited), int, N = 64 on nvidia");
  EXPECT_FALSE(titleOf("baseline", 64, launch).isOwn);
}

TEST(RunTitle, NamesAnotherLaunch) {
  Launch launch = launchOfOwn("baseline", 64);
  launch.block.x = 32;
  launch.grid.x = 2;
  launch.arguments[0] = parseArgument("f32:ones:64").value();
  const RunTitle title = titleOf("baseline", 64, launch);
  EXPECT_EQ(title.text, "Baseline, grid 2, block 32, data f32:ones:64, block 1 of 2 on nvidia");
  EXPECT_EQ(title.name, "baseline-grid-2-block-32-data-f32-ones-64");
  EXPECT_FALSE(title.isOwn);
  EXPECT_EQ(title.text.find("N ="), std::string::npos);
}

TEST(RunTitle, NamesAnotherOperator) {
  for (const Strategy& strategy : strategies()) {
    for (std::size_t i = 0; i < strategy.operators.size(); ++i) {
      const std::string& op = strategy.operators[i];
      const Launch launch = launchOf(strategy, 64, 1, *findMachine("nvidia"), ElementType::Float, op).value();
      const RunTitle title = titleOf(strategy.id.data(), 64, launch);
      EXPECT_NE(title.text.find((i == 0 ? "" : ", " + op) + ", N = 64"), std::string::npos) << title.text;
      EXPECT_EQ(title.text.find("data"), std::string::npos) << title.text;
      EXPECT_EQ(title.isOwn, i == 0);
    }
  }
}

TEST(RunTitle, OfAFileIsItsKernelAndWhetherItWasEdited) {
  Launch launch{.source = std::make_shared<SourceText>("x.cu", "__global__ void twice(float* a) {}")};
  launch.block.x = 8;
  launch.machine = *findMachine("nvidia");
  EXPECT_EQ(titleOfFile(launch, "twice").text, "twice, 8 threads per block, on nvidia");
  EXPECT_TRUE(titleOfFile(launch, "twice", launch.source->text()).isOwn);
  const RunTitle edited = titleOfFile(launch, "twice", "__global__ void twice(int* a) {}");
  EXPECT_EQ(edited.text, "twice (edited), 8 threads per block, on nvidia");
  EXPECT_FALSE(edited.isOwn);
}

}  // namespace
}  // namespace lanescope
