// What a run is called where it is taken away: what is not the strategy's own is said.
#include "app/export/data_files.h"

#include <memory>

#include <gtest/gtest.h>

#include "app/launch/kernel_cache.h"
#include "app/launch/strategy_launch.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

Launch launchOfOwn(const char* strategy, std::uint64_t n, std::uint64_t blocks = 1) {
  return makeLaunch(*findStrategy(strategy), n, blocks, *findMachine("nvidia")).value();
}

RunTitle makeTitle(const char* strategy, std::uint64_t n, const Launch& launch, std::uint64_t blocks = 1) {
  const Dim3 first{0, 0, 0};
  const Strategy& own = *findStrategy(strategy);
  return titleOfRun(own, n, blocks, launch, KernelCache().collectFacts(own, launch.source), &first);
}

void edit(Launch& launch) {
  launch.source = std::make_shared<SourceText>("x.cu", std::string(launch.source->text()) + "// more\n");
}

TEST(RunTitle, OfTheStrategysOwnIsItsN) {
  const RunTitle own = makeTitle("no-divergence", 64, launchOfOwn("no-divergence", 64));
  EXPECT_SAYS(own.text);
  EXPECT_EQ(own.name, "no-divergence-n64");
  EXPECT_TRUE(own.isOwn);
  const RunTitle blocks = makeTitle("no-divergence", 64, launchOfOwn("no-divergence", 64, 4), 4);
  EXPECT_SAYS(blocks.text);
  EXPECT_SAYS(
      titleOfRun(*findStrategy("no-divergence"), 64, 4, launchOfOwn("no-divergence", 64, 4), {}, nullptr)
          .text);
  for (const Strategy& strategy : strategies()) {
    const auto launch = makeLaunch(strategy, 64, 1, *findMachine("nvidia"));
    if (!launch) continue;
    EXPECT_TRUE(titleOfRun(strategy, 64, 1, *launch, {}, nullptr).isOwn) << strategy.id;
  }
}

TEST(RunTitle, SaysThatTheTextWasEdited) {
  Launch launch = launchOfOwn("baseline", 64);
  edit(launch);
  const RunTitle title = makeTitle("baseline", 64, launch);
  EXPECT_SAYS(title.text);
  EXPECT_EQ(title.name, "baseline-edited-n-64");
  EXPECT_FALSE(title.isOwn);
}

TEST(RunTitle, NamesAnotherElementWithoutCallingItAnEdit) {
  const Strategy& baseline = *findStrategy("baseline");
  Launch launch = makeLaunch(baseline, 64, 1, *findMachine("nvidia"), ElementType::Int).value();
  EXPECT_SAYS(makeTitle("baseline", 64, launch).text);
  edit(launch);
  EXPECT_SAYS(makeTitle("baseline", 64, launch).text);
  EXPECT_FALSE(makeTitle("baseline", 64, launch).isOwn);
}

TEST(RunTitle, NamesAnotherLaunch) {
  Launch launch = launchOfOwn("baseline", 64);
  launch.block.x = 32;
  launch.grid.x = 2;
  launch.arguments[0] = parseArgument("f32:ones:64").value();
  const RunTitle title = makeTitle("baseline", 64, launch);
  EXPECT_SAYS(title.text);
  EXPECT_EQ(title.name, "baseline-grid-2-block-32-data-f32-ones-64");
  EXPECT_FALSE(title.isOwn);
  EXPECT_EQ(title.text.find("N ="), std::string::npos);
}

TEST(RunTitle, NamesAnotherOperator) {
  for (const Strategy& strategy : strategies()) {
    for (std::size_t i = 0; i < strategy.operators.size(); ++i) {
      const std::string& op = strategy.operators[i];
      const Launch launch =
          makeLaunch(strategy, 64, 1, *findMachine("nvidia"), ElementType::Float, op).value();
      const RunTitle title = makeTitle(strategy.id.data(), 64, launch);
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
  EXPECT_SAYS(titleOfFile(launch, "twice").text);
  EXPECT_TRUE(titleOfFile(launch, "twice", launch.source->text()).isOwn);
  const RunTitle edited = titleOfFile(launch, "twice", "__global__ void twice(int* a) {}");
  EXPECT_SAYS(edited.text);
  EXPECT_FALSE(edited.isOwn);
}

}  // namespace
}  // namespace lanescope
