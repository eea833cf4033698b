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
    for (const LadderArrow& arrow : ladder.arrows) {
      const LadderRow& to = ladder.rows[arrow.toRow];
      if (to.kind != LadderRow::Kind::Output) continue;
      const LadderCell& word = ladder.rows[arrow.fromRow].cells[arrow.fromColumn];
      EXPECT_EQ(to.cells[arrow.toColumn].from, word.from) << id << ", column " << arrow.toColumn;
      // If every element of the result is there, each is at its index.
      if (std::string_view(id) != "transpose-unrolled") {
        EXPECT_EQ(to.cells[arrow.toColumn].index, arrow.toColumn) << id;
      }
      reached.insert(arrow.toColumn);
      crossing += arrow.toColumn != arrow.fromColumn ? 1 : 0;
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
  std::size_t arrows = 0;
  for (const LadderArrow& arrow : ladder.arrows) {
    if (ladder.rows[arrow.toRow].kind != LadderRow::Kind::Output) continue;
    ++arrows;
    EXPECT_EQ(arrow.fromColumn, 16U);
    EXPECT_EQ(ladder.rows[arrow.toRow].cells[arrow.toColumn].index, 5U);
    EXPECT_EQ(arrow.toColumn, 5U) << "where the axis says 5";
    EXPECT_EQ(arrow.thread, 3U);
  }
  EXPECT_EQ(arrows, 1U);
}

TEST(LadderOutput, BeginsWithTheArrayWhereLittleOfItIsNotWritten) {
  const auto trace = traceOfText(
      "__global__ void k(const float* in, float* out) {\n  out[threadIdx.x + 4] = in[threadIdx.x];\n}\n", 32,
      {"f32:hash:32", "f32:zero:64"}, "nvidia");
  ASSERT_NE(trace, nullptr);
  const Ladder ladder = ladderAtEnd(trace);
  std::size_t arrows = 0;
  for (const LadderArrow& arrow : ladder.arrows) {
    ++arrows;
    EXPECT_EQ(arrow.toColumn, arrow.fromColumn + 4) << "out[" << arrow.toColumn << "]";
  }
  EXPECT_EQ(arrows, 32U);
}

TEST(LadderInput, EveryOperandHasARow) {
  const auto trace = makeTrace("vector-add", 64, "nvidia");
  const Ladder ladder = ladderAtEnd(trace);
  std::vector<std::string> inputs;
  for (const LadderRow& row : ladder.rows) {
    if (row.kind == LadderRow::Kind::Input) inputs.push_back(row.name);
  }
  EXPECT_EQ(inputs, (std::vector<std::string>{"in", "b"}));
  // Each sum has an arrow from either.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> from;
  for (const LadderArrow& arrow : ladder.arrows) {
    EXPECT_EQ(arrow.fromColumn, arrow.toColumn);
    from[{arrow.toRow, arrow.toColumn}].insert(arrow.fromRow);
  }
  EXPECT_EQ(from.size(), 64U);
  for (const auto& [place, rows] : from) EXPECT_EQ(rows.size(), 2U);
}

// Too many words for one line: each line begins with a tag, however large the view and the zoom.
TEST(LadderGroups, NameTheLinesOfAWrappedRow) {
  const auto readLines = [&](const std::shared_ptr<const Trace>& trace, const SceneContext& context) {
    Replay replay(trace);
    replay.seek(trace->phases[0].endStep);
    const Scene scene = arrayScene(makeMoment(replay), context, kMeasure);
    const std::vector<std::string> problems = textProblems(scene, kMeasure);
    EXPECT_TRUE(problems.empty()) << context.width << " x " << context.height << ": " << problems.front();
    std::map<std::string, std::size_t> tags;
    for (const DrawItem& item : scene.items)
      if (item.kind == DrawItem::Kind::Text && item.align == Align::Right) ++tags[item.text];
    return tags;
  };
  const auto kahan = makeTrace("kahan", 2048, "nvidia");
  const auto baseline = makeTrace("baseline", 1024, "nvidia");
  const auto shuffle = makeTrace("shuffle", 2048, "nvidia");
  SceneContext context = makeContext(1280, 720, 0.5F);
  context.width = 420;
  auto tags = readLines(kahan, context);
  EXPECT_GT(tags["sums[0]"], 1U) << "in every row";
  EXPECT_EQ(tags["sums[0]"], tags["errors[0]"]);
  tags = readLines(baseline, context);
  EXPECT_TRUE(tags.contains("0") && tags.contains("512"));
  context.firstColumn = 100;
  context.columnCount = 400;
  tags = readLines(baseline, context);
  EXPECT_TRUE(tags.contains("100") && tags.contains("300")) << "from the first in view";
  context.columnCount = 32;
  EXPECT_TRUE(readLines(baseline, context).empty()) << "one line has an axis";
  for (const float width : {200.0F, 300.0F, 420.0F, 700.0F, 1200.0F}) {
    for (const float height : {120.0F, 240.0F, 500.0F}) {
      SceneContext each = makeContext(1280, 720, 0.33F);
      each.width = width;
      each.height = height;
      for (const auto& trace : {kahan, baseline, shuffle}) readLines(trace, each);
    }
  }
}

TEST(LadderGroups, NameTheArraysOfARow) {
  const Ladder ladder = ladderAtEnd(makeTrace("kahan", 64, "nvidia"));
  ASSERT_EQ(ladder.groups.size(), 2U);
  EXPECT_EQ(ladder.groups[0].name, "sums");
  EXPECT_EQ(ladder.groups[1].name, "errors");
  EXPECT_EQ(ladder.groups[1].firstColumn, ladder.groups[0].columns);
  EXPECT_EQ(ladder.groups[0].columns + ladder.groups[1].columns, ladder.elements);
  EXPECT_TRUE(ladderAtEnd(makeTrace("baseline", 64, "nvidia")).groups.empty());

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
