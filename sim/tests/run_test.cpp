#include "sim/trace/run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/tests/launches.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

bool hasRace(const HazardReport& report) {
  return std::ranges::any_of(report.hazards, [](const Hazard& hazard) { return isRace(hazard.kind); });
}

/// Two warps that exchange words without a barrier.
Launch racy() {
  return testing::launchText(
      "__global__ void k(float* out) {\n"
      "  __shared__ float s[64];\n"
      "  s[threadIdx.x] = threadIdx.x;\n"
      "  out[threadIdx.x] = s[63 - threadIdx.x];\n"
      "}\n",
      64, {"f32:zero:64"});
}

/// Whether the lane's part of a step is what a side of a hazard says.
void expectDoes(const Trace& trace, const Hazard& hazard, const HazardAccess& side, std::string_view place) {
  ASSERT_TRUE(side.step) << hazard.message;
  const Step step = trace.steps[*side.step];
  EXPECT_EQ(step.line, side.line) << hazard.message;
  EXPECT_EQ(step.span, side.span) << hazard.message;
  EXPECT_EQ(step.warp, side.warp) << hazard.message;
  bool isThere = false;
  for (const LaneAccess& access : accessesOf(trace, step))
    isThere = isThere || (access.lane == side.lane && cellName(trace, access.cell) == place);
  EXPECT_TRUE(isThere) << hazard.message;
}

TEST(Run, EachSideOfARaceKnowsItsStep) {
  RunOptions options;
  options.traced = Dim3{0, 0, 0};
  const auto run = runLaunch(racy(), options);
  ASSERT_TRUE(run.ok());
  ASSERT_TRUE(run->isWhole && run->trace != nullptr && run->hazards);
  ASSERT_TRUE(hasRace(*run->hazards));
  for (const Hazard& hazard : run->hazards->hazards) {
    if (!isRace(hazard.kind)) continue;
    expectDoes(*run->trace, hazard, hazard.access, hazard.place);
    expectDoes(*run->trace, hazard, *hazard.earlier, hazard.place);
    EXPECT_LT(*hazard.earlier->step, *hazard.access.step) << "as the picture shows it: " << hazard.message;
  }
}

// The recorder lets the warps wait for each other where a phase begins. Without it the first warp reads
// before the second has written; with it, it reads what is there by then.
TEST(Run, TellsHazardsInTheOrderOfTheTrace) {
  RunOptions options;
  options.traced = Dim3{0, 0, 0};
  const auto run = runLaunch(racy(), options);
  ASSERT_TRUE(run.ok());
  const Trace& trace = *run->trace;
  for (const Hazard& hazard : run->hazards->hazards) {
    const Step later = trace.steps[*hazard.access.step];
    const bool isRead = later.kind == StepKind::SharedLoad;
    EXPECT_EQ(hazard.kind == HazardKind::ReadAfterWrite || hazard.kind == HazardKind::UninitializedShared,
              isRead)
        << hazard.message;
  }
}

TEST(Run, SidesInOtherBlocksHaveNoStep) {
  Launch launch = testing::launchText("__global__ void k(float* out) { out[threadIdx.x] = blockIdx.x; }\n",
                                      32, {"f32:zero:32"});
  launch.grid.x = 3;
  for (std::uint32_t traced = 0; traced < 3; ++traced) {
    RunOptions options;
    options.traced = Dim3{traced, 0, 0};
    const auto run = runLaunch(launch, options);
    ASSERT_TRUE(run.ok());
    ASSERT_TRUE(hasRace(*run->hazards));
    for (const Hazard& hazard : run->hazards->hazards) {
      EXPECT_EQ(hazard.access.step.has_value(), hazard.access.block.x == traced);
      EXPECT_EQ(hazard.earlier->step.has_value(), hazard.earlier->block.x == traced);
    }
  }
}

TEST(Run, OfABlockOfManyLeavesWhatSimulateLeaves) {
  for (const char* id : {"two-kernel", "baseline", "atomic-add", "transpose-shared", "last-block-done"}) {
    const Strategy* strategy = findStrategy(id);
    if (strategy == nullptr) continue;
    const auto launch = launchOf(
        *strategy, 256, fewestBlocks(*strategy, 256, *findMachine("tiny")).value_or(1), *findMachine("tiny"));
    if (!launch) continue;
    const auto alone = simulate(*launch);
    ASSERT_TRUE(alone.ok()) << id;
    const auto last = static_cast<std::uint32_t>(launch->grid.count() - 1);
    RunOptions options;
    options.traced = launch->grid.y == 1 ? Dim3{last, 0, 0} : Dim3{0, 0, 0};
    HazardOptions few;
    few.accessLimit = 64;  // so that some blocks are looked at and others are not
    options.hazards = few;
    const auto run = runLaunch(*launch, options);
    ASSERT_TRUE(run.ok()) << id;
    EXPECT_TRUE(run->isWhole) << id;
    EXPECT_EQ(run->simulation.counters, alone->counters) << id;
    EXPECT_EQ(run->simulation.buffers, alone->buffers) << id;
    ASSERT_EQ(run->simulation.lines.size(), alone->lines.size()) << id;
    for (std::size_t l = 0; l < alone->lines.size(); ++l)
      EXPECT_EQ(run->simulation.lines[l].counters, alone->lines[l].counters) << id;
  }
}

TEST(Run, KeepsTheTraceUpToAFault) {
  const Launch launch = testing::launchText(
      "__global__ void k(float* out) {\n"
      "  __shared__ float s[32];\n"
      "  s[threadIdx.x] = 1;\n"
      "  __syncthreads();\n"
      "  out[threadIdx.x + (threadIdx.x == 7 ? 100 : 0)] = s[threadIdx.x];\n"
      "}\n",
      32, {"f32:zero:32"});
  RunOptions options;
  options.traced = Dim3{0, 0, 0};
  const auto run = runLaunch(launch, options);
  ASSERT_TRUE(run.ok());
  EXPECT_FALSE(run->isWhole);
  ASSERT_TRUE(run->fault && run->untraced);
  EXPECT_EQ(run->fault->fault.kind, Fault::Kind::OutOfBounds);
  EXPECT_TRUE(run->fault->fault.isStore);
  EXPECT_EQ(run->fault->thread, 7U);
  EXPECT_EQ(run->fault->line, 5U);
  EXPECT_EQ(run->untraced->sentence(), run->fault->error.sentence());
  ASSERT_NE(run->trace, nullptr);
  ASSERT_FALSE(run->trace->steps.empty());
  EXPECT_EQ(run->trace->steps.back().line, 5U) << "what it read for the store";
  EXPECT_EQ(run->trace->steps.back().kind, StepKind::SharedLoad);
  EXPECT_EQ(run->trace->phases.back().endStep, run->trace->steps.size());
  ASSERT_TRUE(run->hazards);
  EXPECT_EQ(run->hazards->hazards.front().kind, HazardKind::OutOfBounds);
  EXPECT_FALSE(recordTrace(launch).ok());
}

TEST(Run, AFaultBehindTheTracedBlockLeavesItsTraceWhole) {
  Launch launch = testing::launchText(
      "__global__ void k(float* out) { out[blockIdx.x * 32 + threadIdx.x] = 1; }\n", 32, {"f32:zero:64"});
  launch.grid.x = 3;
  for (std::uint32_t traced = 0; traced < 3; ++traced) {
    RunOptions options;
    options.traced = Dim3{traced, 0, 0};
    const auto run = runLaunch(launch, options);
    ASSERT_TRUE(run.ok());
    ASSERT_TRUE(run->fault);
    EXPECT_EQ(run->fault->block.x, 2U);
    EXPECT_EQ(run->untraced.has_value(), traced == 2);
    ASSERT_NE(run->trace, nullptr);
  }
}

// An endless loop ends at the trace's limit; the search for hazards goes on to its own.
TEST(Run, FindsHazardsBeyondATraceThatIsTooLarge) {
  Launch launch = racy();
  launch.limits.traceBytes = 64 * 40 + 64 * 40 + 100;
  RunOptions options;
  options.traced = Dim3{0, 0, 0};
  std::size_t told = 0;
  options.whenTraced = [&](const lanescope::Run& run) {
    ++told;
    EXPECT_TRUE(run.untraced);
    EXPECT_EQ(run.trace, nullptr);
  };
  const auto run = runLaunch(launch, options);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->trace, nullptr);
  ASSERT_TRUE(run->untraced);
  EXPECT_EQ(told, 1U);
  EXPECT_TRUE(hasRace(*run->hazards));
  for (const Hazard& hazard : run->hazards->hazards) EXPECT_FALSE(hazard.access.step) << hazard.message;
}

TEST(Run, TellsOfTheTraceBeforeTheOtherBlocksRun) {
  Launch launch = testing::launchText(
      "__global__ void k(float* out) { out[blockIdx.x * 32 + threadIdx.x] = 1; }\n", 32, {"f32:zero:128"});
  launch.grid.x = 4;
  RunOptions options;
  options.traced = Dim3{1, 0, 0};
  HazardOptions one;
  one.accessLimit = 1;
  options.hazards = one;
  std::size_t told = 0;
  options.whenTraced = [&](const lanescope::Run& run) {
    ++told;
    ASSERT_NE(run.trace, nullptr);
    ASSERT_TRUE(run.hazards);
    EXPECT_EQ(run.hazards->blocksLooked, 1U);
    EXPECT_FALSE(run.isWhole);
  };
  const auto run = runLaunch(launch, options);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(told, 1U);
  EXPECT_TRUE(run->isWhole);
  EXPECT_EQ(run->simulation.counters.globalStoreRequests, 4U);
}

}  // namespace
}  // namespace lanescope
