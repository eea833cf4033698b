// Warps take turns by line: rounds in which every warp of the block does one line of the source.
#include <gtest/gtest.h>

#include <set>

#include "kernels/strategies/catalogue.h"
#include "sim/tests/launches.h"
#include "sim/trace/replay.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

std::shared_ptr<const Trace> traceOf(const std::string& strategy, std::uint64_t n, std::string_view machine) {
  auto trace = makeTrace(testing::strategyLaunch(strategy, n, machine), {0, 0, 0}, Turns::ByLine);
  EXPECT_TRUE(trace.ok()) << trace.error().sentence();
  return *trace;
}

std::vector<std::uint32_t> roundStarts(const std::shared_ptr<const Trace>& trace) {
  Replay replay(trace);
  std::vector<std::uint32_t> starts;
  do starts.push_back(replay.cursor().steps);
  while (replay.forward(Grain::Line));
  return starts;
}

TEST(Rounds, AClassWalksBaselineOverEightElementsInAtMost32Presses) {
  const auto starts = roundStarts(traceOf("baseline", 8, "tiny"));
  EXPECT_LE(starts.size() - 1, 32U);
  EXPECT_GE(starts.size() - 1, 12U);
}

TEST(Rounds, HaveOneLineAndEachWarpOnce) {
  for (const char* const strategy : {"baseline", "no-divergence", "no-bank-conflict", "shuffle"}) {
    const auto trace = traceOf(strategy, 64, "nvidia");
    const auto starts = roundStarts(trace);
    for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
      std::set<std::uint32_t> warps;
      for (std::uint32_t s = starts[r]; s < starts[r + 1]; ++s) {
        const Step step = trace->steps[s];
        EXPECT_EQ(step.line, trace->steps[starts[r]].line);
        EXPECT_EQ(step.phase, trace->steps[starts[r]].phase);
        const bool isNew = warps.insert(step.warp).second;
        EXPECT_TRUE(isNew || trace->steps[s - 1].warp == step.warp) << strategy << " step " << s;
      }
    }
  }
}

TEST(Rounds, BothWarpsTakeTheirBranchInTheSameRound) {
  const auto trace = traceOf("baseline", 64, "nvidia");
  std::size_t rounds = 0;
  const auto starts = roundStarts(trace);
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    std::set<std::uint32_t> warps;
    bool branches = false;
    for (std::uint32_t s = starts[r]; s < starts[r + 1]; ++s) {
      branches |= trace->steps[s].kind == StepKind::Branch;
      warps.insert(trace->steps[s].warp);
    }
    if (!branches) continue;
    ++rounds;
    EXPECT_EQ(warps.size(), trace->warps) << "round " << r;
  }
  EXPECT_GT(rounds, 5U);
}

TEST(Rounds, BackMeetsThePlacesOfForward) {
  const auto trace = traceOf("unroll-last-warp", 64, "nvidia");
  const auto starts = roundStarts(trace);
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
  for (std::size_t r = starts.size() - 1; r-- > 0;) {
    ASSERT_TRUE(replay.back(Grain::Line));
    EXPECT_EQ(replay.cursor().steps, starts[r]);
  }
  EXPECT_FALSE(replay.back(Grain::Line));
  replay.seek(starts[3] + 1);  // from within a round: to its start
  ASSERT_TRUE(replay.back(Grain::Line));
  EXPECT_EQ(replay.cursor().steps, starts[3]);
}

TEST(Rounds, ALoopOnOneLineHasOnePerIteration) {
  const Launch launch = testing::launchText(
      "__global__ void k(const int *in, int *out) {\n"
      "  int sum = 0;\n"
      "  for (int i = 0; i < 3; ++i) sum += in[threadIdx.x + i];\n"
      "  out[threadIdx.x] = sum;\n"
      "}\n",
      64, {"i32:iota:66", "i32:zero:64"});
  const auto made = makeTrace(launch, {0, 0, 0}, Turns::ByLine);
  ASSERT_TRUE(made.ok()) << made.error().sentence();
  const auto starts = roundStarts(*made);
  std::size_t rounds = 0;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    std::set<std::uint32_t> warps;
    for (std::uint32_t s = starts[r]; s < starts[r + 1]; ++s) {
      const Step step = (*made)->steps[s];
      if (step.line == 3 && step.kind == StepKind::GlobalLoad) warps.insert(step.warp);
    }
    if (warps.empty()) continue;
    ++rounds;
    EXPECT_EQ(warps.size(), 2U);
  }
  EXPECT_EQ(rounds, 3U);
}

TEST(Rounds, AWarpThatWaitsForAnothersWriteLetsItRun) {
  const Launch launch = testing::launchText(
      "__global__ void k(int *out) {\n"
      "  __shared__ volatile int flag;\n"
      "  if (threadIdx.x == 0) flag = 0;\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x < 32) {\n"
      "    while (flag == 0) {\n"
      "    }\n"
      "  } else {\n"
      "    flag = 1;\n"
      "  }\n"
      "  out[threadIdx.x] = flag;\n"
      "}\n",
      64, {"i32:zero:64"});
  const auto run = runLaunch(launch, {.traced = Dim3{0, 0, 0}, .turns = Turns::ByLine});
  ASSERT_TRUE(run.ok()) << run.error().sentence();
  EXPECT_TRUE(run->isWhole);
  EXPECT_FALSE(run->fault);
}

TEST(Rounds, TheOrderChangesNoCounterAndNoResult) {
  for (const Strategy& strategy : strategies()) {
    for (const std::uint64_t n : {64U, 256U}) {
      const auto launch = makeLaunch(strategy, n, 1, *findMachine("nvidia"));
      if (!launch) continue;
      RunOptions options{.traced = Dim3{0, 0, 0}, .turns = Turns::ByLine};
      const auto byLine = runLaunch(*launch, options);
      options.turns = Turns::UntilItWaits;
      const auto untilItWaits = runLaunch(*launch, options);
      ASSERT_TRUE(byLine.ok() && untilItWaits.ok()) << strategy.id;
      EXPECT_EQ(byLine->simulation.counters, untilItWaits->simulation.counters) << strategy.id;
      EXPECT_EQ(byLine->fault.has_value(), untilItWaits->fault.has_value()) << strategy.id;
      if (byLine->trace == nullptr) continue;
      EXPECT_EQ(byLine->trace->steps.size(), untilItWaits->trace->steps.size()) << strategy.id;
      EXPECT_EQ(byLine->trace->phases.size(), untilItWaits->trace->phases.size()) << strategy.id;
    }
  }
}

}  // namespace
}  // namespace lanescope
