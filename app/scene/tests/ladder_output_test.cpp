// What leaves the words of the ladder: from the words that a thread read, to the places it stored to.
#include <gtest/gtest.h>

#include <set>

#include "app/scene/array_ladder.h"
#include "app/scene/tests/scene_checks.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {

Ladder ladderAtEnd(const std::shared_ptr<const Trace>& trace) {
  Replay replay(trace);
  replay.seek(static_cast<std::uint32_t>(trace->steps.size()));
  return buildLadder(momentOf(replay), 64);
}

TEST(LadderOutput, ComesFromTheWordsThatWereRead) {
  for (const char* id :
       {"baseline", "transpose-shared", "transpose-padded", "transpose-padded-two", "transpose-unrolled"}) {
    const auto trace = traceOf(id, 64, "tiny");
    const Ladder ladder = ladderAtEnd(trace);
    std::set<std::uint32_t> reached;
    std::size_t crossing = 0;
    for (const LadderArrow& arrow : ladder.arrows) {
      const LadderRow& to = ladder.rows[arrow.toRow];
      if (to.kind != LadderRow::Kind::Output) continue;
      const LadderCell& word = ladder.rows[arrow.fromRow].cells[arrow.fromColumn];
      EXPECT_EQ(to.cells[arrow.toColumn].from, word.from) << id << ", column " << arrow.toColumn;
      // Where every element of the result is there, each stands at its index.
      if (std::string_view(id) != "transpose-unrolled") {
        EXPECT_EQ(to.cells[arrow.toColumn].index, arrow.toColumn) << id;
      }
      reached.insert(arrow.toColumn);
      crossing += arrow.toColumn != arrow.fromColumn ? 1 : 0;
    }
    std::set<std::uint32_t> stored;
    for (const Step& step : trace->steps) {
      if (step.kind != StepKind::GlobalStore) continue;
      for (const LaneAccess& access : accessesOf(*trace, step)) stored.insert(access.cell);
    }
    EXPECT_EQ(reached.size(), stored.size()) << id;
    if (std::string_view(id) == "transpose-shared") {
      EXPECT_EQ(crossing, 56U) << id;
    }
  }
}

TEST(LadderOutput, OfOneWordInTheMiddleComesFromThere) {
  Launch launch;
  launch.source = std::make_shared<SourceText>(
      "k.cu",
      "__global__ void k(const float* in, float* out) {\n  __shared__ float s[32];\n"
      "  const int i = threadIdx.x;\n  s[i] = in[i];\n  __syncthreads();\n  if (i == 3) out[5] = "
      "s[16];\n}\n");
  launch.block.x = 32;
  launch.machine = *findMachine("nvidia");
  launch.arguments = {parseArgument("f32:hash:32").value(), parseArgument("f32:zero:8").value()};
  Result<Trace> recorded = recordTrace(launch);
  ASSERT_TRUE(recorded) << recorded.error().sentence();
  const auto trace = std::make_shared<const Trace>(std::move(*recorded));
  const Ladder ladder = ladderAtEnd(trace);
  std::size_t arrows = 0;
  for (const LadderArrow& arrow : ladder.arrows) {
    if (ladder.rows[arrow.toRow].kind != LadderRow::Kind::Output) continue;
    ++arrows;
    EXPECT_EQ(arrow.fromColumn, 16U);
    EXPECT_EQ(ladder.rows[arrow.toRow].cells[arrow.toColumn].index, 5U);
    EXPECT_EQ(arrow.thread, 3U);
  }
  EXPECT_EQ(arrows, 1U);
}

}  // namespace
}  // namespace lanescope
