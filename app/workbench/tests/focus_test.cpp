// What lights up together: threads, words and lines.
#include "app/workbench/walk.h"

#include <algorithm>
#include <bit>

#include <gtest/gtest.h>

#include "app/launch/strategy_launch.h"
#include "app/workbench/session.h"
#include "sim/trace/run.h"

namespace lanescope {
namespace {

std::shared_ptr<const Trace> makeTrace(const Strategy& strategy, std::uint64_t n) {
  const Result<Launch> launch = makeLaunch(strategy, n, 1, *findMachine("nvidia"));
  Result<Trace> trace = recordTrace(*launch);
  return std::make_shared<const Trace>(std::move(*trace));
}

TEST(Linked, AThreadItsWordAndItsLineNameEachOther) {
  for (const Strategy& strategy : strategies()) {
    const auto trace = makeTrace(strategy, 64);
    Replay replay(trace);
    while (replay.forward(Grain::Instruction)) {
      const Step step = *replay.currentStep();
      const bool shared = step.kind == StepKind::SharedLoad || step.kind == StepKind::SharedStore;
      if (!shared || step.active == 0) continue;
      const LaneAccess& access = trace->accesses[step.accesses.first];
      const std::uint32_t thread = step.warp * 32U + access.lane;
      Focus focus;
      focus.thread = thread;
      const Linked byThread = linkedTo(replay, focus);
      EXPECT_EQ(byThread.threads, std::vector{thread});
      EXPECT_EQ(byThread.cells, std::vector{access.cell});
      EXPECT_EQ(byThread.lines, std::vector{step.line});
      focus = {};
      focus.cell = access.cell;
      const Linked byCell = linkedTo(replay, focus);
      EXPECT_TRUE(std::ranges::binary_search(byCell.threads, thread));
      EXPECT_EQ(byCell.lines, std::vector{step.line});
      focus = {};
      focus.line = step.line;
      const Linked byLine = linkedTo(replay, focus);
      EXPECT_TRUE(std::ranges::binary_search(byLine.threads, thread));
      EXPECT_TRUE(std::ranges::binary_search(byLine.cells, access.cell));
      EXPECT_GE(byLine.threads.size(), static_cast<std::size_t>(std::popcount(step.active)));
    }
  }
}

TEST(Linked, NothingIsLitWithoutAFocusOrBeforeAnythingRan) {
  Replay replay(makeTrace(strategies().front(), 8));
  EXPECT_EQ(linkedTo(replay, {}), Linked{});
  Focus focus;
  focus.thread = 3;
  EXPECT_EQ(linkedTo(replay, focus).threads, std::vector{3U});
  EXPECT_TRUE(linkedTo(replay, focus).lines.empty());
  focus.thread = 1000;
  EXPECT_EQ(linkedTo(replay, focus), Linked{});
}

}  // namespace
}  // namespace lanescope
