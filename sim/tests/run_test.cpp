#include "sim/trace/run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/tests/golden_text.h"
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

/// Expects the lane's part of a step to be what a side of a hazard says.
void expectDoes(const Trace& trace, const Hazard& hazard, const HazardAccess& side, std::string_view place) {
  ASSERT_TRUE(side.step) << hazard.message;
  const Step step = trace.steps[*side.step];
  EXPECT_EQ(step.line, side.line) << hazard.message;
  EXPECT_EQ(step.span, side.span) << hazard.message;
  EXPECT_EQ(step.warp, side.warp) << hazard.message;
  bool isPresent = false;
  for (const LaneAccess& access : laneAccesses(trace, step))
    isPresent = isPresent || (access.lane == side.lane && cellName(trace, access.cell) == place);
  EXPECT_TRUE(isPresent) << hazard.message;
}

TEST(Run, EachSideOfARaceKnowsItsStep) {
  RunOptions options{.traced = Dim3{0, 0, 0}};
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

/// 4096 blocks that all do the same.
Launch manyBlocks() {
  Launch launch = testing::launchText(
      "__global__ void k(int* out, const int* in) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  out[i] = in[i ^ 5] + 1;\n"
      "}\n",
      64, {"i32:zero:262144", "i32:iota:262144"});
  launch.grid = {4096, 1, 1};
  return launch;
}

TEST(Run, CountsInAsManyBlocksAsItMay) {
  RunOptions options;
  options.hazards.reset();
  const auto whole = runLaunch(manyBlocks(), options);
  ASSERT_TRUE(whole.ok() && whole->isWhole);
  EXPECT_EQ(whole->simulation.countedBlocks, 4096);
  options.countedInstructions = whole->simulation.executed / 4;
  const auto part = runLaunch(manyBlocks(), options);
  ASSERT_TRUE(part.ok() && part->isWhole);
  const std::uint64_t counted = part->simulation.countedBlocks;
  EXPECT_GT(counted, 900);
  EXPECT_LE(counted, 1024);
  EXPECT_EQ(part->simulation.buffers, whole->simulation.buffers);
  EXPECT_EQ(part->simulation.counters.globalSectors() * 4096,
            whole->simulation.counters.globalSectors() * counted);
  options.countedInstructions = 0;
  const auto none = runLaunch(manyBlocks(), options);
  ASSERT_TRUE(none.ok());
  EXPECT_EQ(none->simulation.countedBlocks, 0);
  EXPECT_EQ(none->simulation.counters, Counters{});
  EXPECT_EQ(none->simulation.buffers, whole->simulation.buffers);
}

// The recorder lets the warps wait for each other where a phase begins. Without it the first warp reads
// before the second has written; with it, it reads what is there by then.
TEST(Run, TellsHazardsInTheOrderOfTheTrace) {
  RunOptions options{.traced = Dim3{0, 0, 0}};
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
    RunOptions options{.traced = Dim3{traced, 0, 0}};
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
    const auto launch = makeLaunch(
        *strategy, 256, fewestBlocks(*strategy, 256, *findMachine("tiny")).value_or(1), *findMachine("tiny"));
    if (!launch) continue;
    const auto alone = simulate(*launch);
    ASSERT_TRUE(alone.ok()) << id;
    const auto last = static_cast<std::uint32_t>(launch->grid.count() - 1);
    RunOptions options{.traced = launch->grid.y == 1 ? Dim3{last, 0, 0} : Dim3{0, 0, 0}};
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
  RunOptions options{.traced = Dim3{0, 0, 0}};
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
  const Step last = run->trace->steps.back();
  EXPECT_EQ(last.line, 5U);
  EXPECT_EQ(last.kind, StepKind::Fault) << "the store that was not done";
  EXPECT_EQ(run->trace->steps[run->trace->steps.size() - 2].kind, StepKind::SharedLoad);
  ASSERT_TRUE(run->trace->fault);
  EXPECT_EQ(run->trace->fault->step, run->trace->steps.size() - 1);
  EXPECT_EQ(run->trace->fault->lanes, 1U << 7U);
  EXPECT_EQ(run->trace->arrays[static_cast<std::size_t>(run->trace->fault->array)].name, "out");
  EXPECT_EQ(run->trace->fault->word, 107);
  EXPECT_EQ(run->trace->fault->place, "out[107]");
  EXPECT_SAYS(run->trace->fault->sentence);
  EXPECT_EQ(run->trace->phases.back().endStep, run->trace->steps.size());
  ASSERT_TRUE(run->hazards);
  EXPECT_EQ(run->hazards->hazards.front().kind, HazardKind::OutOfBounds);
  EXPECT_EQ(run->hazards->hazards.front().access.step, run->trace->fault->step);
  EXPECT_FALSE(recordTrace(launch).ok());
}

TEST(Run, AFaultBelowAnArrayIsAtTheWordBelowIt) {
  for (const auto& [byte, word] : {std::pair{-1, -1}, {-4, -1}, {-5, -2}}) {
    const Launch launch =
        testing::launchText("__global__ void k(unsigned char* out, int at) {\n  out[at] = 1;\n}\n", 1,
                            {"u8:zero:8", "i32=" + std::to_string(byte)});
    const auto run = runLaunch(launch, {.traced = Dim3{0, 0, 0}});
    ASSERT_TRUE(run.ok() && run->trace != nullptr && run->trace->fault);
    EXPECT_EQ(run->trace->fault->word, word) << byte;
  }
}

TEST(Run, EveryFaultIsTheLastStepOfItsTrace) {
  struct Case {
    const char* statement;
    Fault::Kind kind;
    std::uint32_t lanes;
    const char* place;
  };
  for (const Case& each :
       {Case{"s[threadIdx.x + 1] = 1;", Fault::Kind::OutOfBounds, 1U << 31U, "s[32]"},
        Case{"out[(int)threadIdx.x - 3] = 1;", Fault::Kind::OutOfBounds, 1U, "out[-3]"},
        Case{"*(double*)&out[threadIdx.x] = 1;", Fault::Kind::Misaligned, 1U << 1U, "out[1]"},
        Case{"if (threadIdx.x < 4) __syncthreads();", Fault::Kind::DivergentBarrier, 15U, ""},
        Case{"assert(threadIdx.x < 5);", Fault::Kind::AssertionFailed, 1U << 5U, ""}}) {
    RunOptions options{.traced = Dim3{0, 0, 0}};
    const auto run =
        runLaunch(testing::launchText("__global__ void k(float* out) {\n  __shared__ float s[32];\n  " +
                                          std::string(each.statement) + "\n}\n",
                                      32, {"f32:zero:64"}),
                  options);
    ASSERT_TRUE(run.ok() && run->fault) << each.statement;
    ASSERT_TRUE(run->trace != nullptr && run->trace->fault) << each.statement;
    const Trace& trace = *run->trace;
    EXPECT_EQ(run->fault->fault.kind, each.kind) << each.statement;
    EXPECT_EQ(trace.fault->step, trace.steps.size() - 1) << each.statement;
    EXPECT_EQ(trace.steps.back().kind, StepKind::Fault) << each.statement;
    EXPECT_EQ(trace.steps.back().line, 3U) << each.statement;
    EXPECT_EQ(trace.fault->lanes, each.lanes) << each.statement;
    EXPECT_EQ(trace.fault->place, each.place) << each.statement;
    EXPECT_EQ(trace.phases.back().endStep, trace.steps.size()) << each.statement;
  }
}

TEST(Run, AFaultBehindTheTracedBlockLeavesItsTraceWhole) {
  Launch launch = testing::launchText(
      "__global__ void k(float* out) { out[blockIdx.x * 32 + threadIdx.x] = 1; }\n", 32, {"f32:zero:64"});
  launch.grid.x = 3;
  for (std::uint32_t traced = 0; traced < 3; ++traced) {
    RunOptions options{.traced = Dim3{traced, 0, 0}};
    const auto run = runLaunch(launch, options);
    ASSERT_TRUE(run.ok());
    ASSERT_TRUE(run->fault);
    EXPECT_EQ(run->fault->block.x, 2U);
    EXPECT_EQ(run->untraced.has_value(), traced == 2);
    ASSERT_NE(run->trace, nullptr);
  }
}

// An endless loop ends at the trace's limit; the search for hazards continues to its own.
TEST(Run, FindsHazardsBeyondATraceThatIsTooLarge) {
  Launch launch = racy();
  launch.limits.traceBytes = 64 * 40 + 64 * 40 + 100;
  RunOptions options{.traced = Dim3{0, 0, 0}};
  std::size_t calls = 0;
  options.whenTraced = [&](const lanescope::Run& run) {
    ++calls;
    EXPECT_TRUE(run.untraced);
    EXPECT_EQ(run.trace, nullptr);
  };
  const auto run = runLaunch(launch, options);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->trace, nullptr);
  ASSERT_TRUE(run->untraced);
  EXPECT_EQ(calls, 1U);
  EXPECT_TRUE(hasRace(*run->hazards));
  for (const Hazard& hazard : run->hazards->hazards) EXPECT_FALSE(hazard.access.step) << hazard.message;
}

TEST(Run, GivesTheTraceBeforeTheOtherBlocksRun) {
  Launch launch = testing::launchText(
      "__global__ void k(float* out) { out[blockIdx.x * 32 + threadIdx.x] = 1; }\n", 32, {"f32:zero:128"});
  launch.grid.x = 4;
  RunOptions options{.traced = Dim3{1, 0, 0}};
  HazardOptions one;
  one.accessLimit = 1;
  options.hazards = one;
  std::size_t calls = 0;
  options.whenTraced = [&](const lanescope::Run& run) {
    ++calls;
    ASSERT_NE(run.trace, nullptr);
    ASSERT_TRUE(run.hazards);
    EXPECT_EQ(run.hazards->blocksLooked, 1U);
    EXPECT_FALSE(run.isWhole);
  };
  const auto run = runLaunch(launch, options);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(calls, 1U);
  EXPECT_TRUE(run->isWhole);
  EXPECT_EQ(run->simulation.counters.globalStoreRequests, 4U);
}

}  // namespace
}  // namespace lanescope
