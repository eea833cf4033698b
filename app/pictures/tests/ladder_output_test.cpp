// Values that leave the words of the ladder: from the words that a thread read, to the places it stored to.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/pictures/array_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/trace/run.h"
#include "sim/trace/step_accesses.h"

namespace lanescope {
namespace {
TEST(LadderOutput, ComesFromTheWordsThatWereRead) {
  for (const char* id :
       {"baseline", "transpose-shared", "transpose-padded", "transpose-padded-two", "transpose-unrolled"}) {
    const auto trace = makeTrace(id, 64, "tiny");
    const Ladder ladder = ladderAtEnd(trace);
    std::set<std::uint32_t> reached;
    std::size_t crossing = 0;
    for (const Flow& flow : listFlows(ladder.planned())) {
      const LadderRow& to = ladder.rows[flow.toRow];
      if (to.kind != LadderRow::Kind::Output) continue;
      const LadderCell& word = ladder.rows[flow.fromRow].cells[flow.fromColumn];
      // Its threads move several elements each.
      if (std::string_view(id) == "transpose-unrolled" && to.cells[flow.toColumn].from != word.from) continue;
      EXPECT_EQ(to.cells[flow.toColumn].from, word.from) << id << ", column " << flow.toColumn;
      // If every element of the result is there, each is at its index.
      if (std::string_view(id) != "transpose-unrolled") {
        EXPECT_EQ(to.cells[flow.toColumn].index, flow.toColumn) << id;
      }
      reached.insert(flow.toColumn);
      crossing += flow.toColumn != flow.fromColumn ? 1 : 0;
    }
    std::set<std::uint32_t> stored;
    for (const Step& step : trace->steps) {
      if (step.kind != StepKind::GlobalStore) continue;
      for (const LaneAccess& access : laneAccesses(*trace, step)) stored.insert(access.cell);
    }
    EXPECT_EQ(reached.size(), stored.size()) << id;
    if (std::string_view(id) == "transpose-shared") {
      EXPECT_EQ(crossing, 56U) << id;
    }
  }
}

TEST(LadderOutput, OfOneWordInTheMiddleComesFromThere) {
  const auto trace = traceOfText(
      "__global__ void k(const float* in, float* out) {\n  __shared__ float s[32];\n"
      "  const int i = threadIdx.x;\n  s[i] = in[i];\n  __syncthreads();\n  if (i == 3) out[5] = "
      "s[16];\n}\n",
      32, {"f32:hash:32", "f32:zero:8"}, "nvidia");
  ASSERT_NE(trace, nullptr);
  const Ladder ladder = ladderAtEnd(trace);
  std::size_t flows = 0;
  for (const Flow& flow : listFlows(ladder.planned())) {
    if (ladder.rows[flow.toRow].kind != LadderRow::Kind::Output) continue;
    ++flows;
    EXPECT_EQ(flow.fromColumn, 16U);
    EXPECT_EQ(ladder.rows[flow.toRow].cells[flow.toColumn].index, 5U);
    EXPECT_EQ(flow.toColumn, 5U) << "where the axis says 5";
    EXPECT_EQ(flow.thread, 3U);
  }
  EXPECT_EQ(flows, 1U);
}

TEST(LadderOutput, BeginsWithTheArrayWhereLittleOfItIsNotWritten) {
  const auto trace = traceOfText(
      "__global__ void k(const float* in, float* out) {\n  out[threadIdx.x + 4] = in[threadIdx.x];\n}\n", 32,
      {"f32:hash:32", "f32:zero:64"}, "nvidia");
  ASSERT_NE(trace, nullptr);
  const Ladder ladder = ladderAtEnd(trace);
  std::size_t flows = 0;
  for (const Flow& flow : listFlows(ladder.planned())) {
    ++flows;
    EXPECT_EQ(flow.toColumn, flow.fromColumn + 4) << "out[" << flow.toColumn << "]";
  }
  EXPECT_EQ(flows, 32U);
}

TEST(LadderInput, EveryOperandHasARow) {
  const auto trace = makeTrace("vector-add", 64, "nvidia");
  const Ladder ladder = ladderAtEnd(trace);
  std::vector<std::string> inputs;
  for (const LadderRow& row : ladder.rows) {
    if (row.kind == LadderRow::Kind::Input) inputs.push_back(row.name);
  }
  EXPECT_EQ(inputs, (std::vector<std::string>{"in", "b"}));
  // Each sum is made of either.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> from;
  for (const Flow& flow : listFlows(ladder.planned())) {
    EXPECT_EQ(flow.fromColumn, flow.toColumn);
    from[{flow.toRow, flow.toColumn}].insert(flow.fromRow);
  }
  EXPECT_EQ(from.size(), 64U);
  for (const auto& [place, rows] : from) EXPECT_EQ(rows.size(), 2U);
}

TEST(LadderGroups, NameTheArraysOfARow) {
  const Ladder ladder = ladderAtEnd(makeTrace("kahan", 64, "nvidia"));
  const std::vector<LadderGroup>& groups = ladder.planned().groups;
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "sums");
  EXPECT_EQ(groups[1].name, "errors");
  EXPECT_EQ(groups[1].firstColumn, groups[0].columns);
  EXPECT_EQ(groups[0].columns + groups[1].columns, ladder.planned().elements);
  EXPECT_TRUE(ladderAtEnd(makeTrace("baseline", 64, "nvidia")).planned().groups.empty());

  Replay replay(makeTrace("kahan", 64, "nvidia"));
  for (const float width : {420.0F, 900.0F}) {
    SceneContext context = makeContext(1600, 1000, 0.33F);
    context.width = width;
    const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
    const auto shows = [&](std::string_view text) {
      return std::ranges::any_of(scene.items, [&](const DrawItem& item) { return item.text == text; });
    };
    EXPECT_TRUE(shows("sums")) << width;
    EXPECT_TRUE(shows("errors")) << width;
    const std::vector<std::string> problems = textProblems(scene, kMeasure);
    EXPECT_TRUE(problems.empty()) << width << ": " << problems.front();
  }
}

}  // namespace
}  // namespace lanescope
