// Needs of two runs side by side: the differences of their counters, and banks with little room.
#include <gtest/gtest.h>

#include "app/pictures/bank_scene.h"
#include "app/pictures/difference_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {
using Kind = DrawItem::Kind;

const CounterDifference& named(const std::vector<CounterDifference>& rows, std::string_view name) {
  for (const CounterDifference& row : rows) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return rows.front();
}

TEST(CounterDifferences, SayWhichSideIsBetter) {
  Counters left;
  left.sharedLoadWavefronts = 36;
  left.sharedIdealWavefronts = 21;
  left.globalLoadSectors = 8;
  left.globalReductionSectors = 1;
  left.barriers = 14;
  left.instructions = 200;
  left.lanes = 100;
  left.activeLanes = 16;
  Counters right = left;
  right.sharedLoadWavefronts = 21;
  right.barriers = 28;
  right.activeLanes = 32;
  const std::vector<CounterDifference> rows = counterDifferences(left, right);
  const CounterDifference& conflicts = named(rows, "conflicts");
  EXPECT_EQ(conflicts.left, "15");
  EXPECT_EQ(conflicts.right, "0");
  EXPECT_EQ(conflicts.difference, "−15");
  EXPECT_EQ(conflicts.ratio, "0.00×");
  EXPECT_EQ(conflicts.better, Better::Right);
  const CounterDifference& barriers = named(rows, "barriers");
  EXPECT_EQ(barriers.difference, "+14");
  EXPECT_EQ(barriers.ratio, "2.00×");
  EXPECT_EQ(barriers.better, Better::Left);
  EXPECT_EQ(named(rows, "sectors").left, "9");
  EXPECT_EQ(named(rows, "sectors").difference, "=");
  EXPECT_EQ(named(rows, "sectors").better, Better::Neither);
  const CounterDifference& lanes = named(rows, "lanes active");
  EXPECT_EQ(lanes.left, "16%");
  EXPECT_EQ(lanes.difference, "+16 pts");
  EXPECT_EQ(lanes.better, Better::Right);
}

TEST(CounterDifferences, SetThousandsApart) {
  Counters left, right;
  left.barriers = 12345;
  right.barriers = 1234567;
  const CounterDifference barriers = named(counterDifferences(left, right), "barriers");
  EXPECT_EQ(barriers.left, "12,345");
  EXPECT_EQ(barriers.right, "1,234,567");
  EXPECT_EQ(barriers.difference, "+1,222,222");
}

TEST(CounterDifferences, NothingIsNoShareAndNoRatio) {
  Counters right;
  right.sharedLoadWavefronts = 4;
  right.lanes = 32;
  right.activeLanes = 16;
  const std::vector<CounterDifference> rows = counterDifferences({}, right);
  EXPECT_EQ(named(rows, "wavefronts").ratio, "");
  EXPECT_EQ(named(rows, "wavefronts").better, Better::Left);
  EXPECT_EQ(named(rows, "lanes active").left, "none");
  EXPECT_EQ(named(rows, "lanes active").better, Better::Neither);
  for (const CounterDifference& row : counterDifferences(right, right))
    EXPECT_EQ(row.better, Better::Neither) << row.name;
}

TEST(DifferenceScene, FitsForEveryPairInTheCourse) {
  std::vector<std::shared_ptr<const Trace>> traces;
  for (const Strategy& strategy : strategies()) traces.push_back(makeTrace(strategy.id, 1024, "nvidia"));
  for (std::size_t i = 1; i < traces.size(); ++i) {
    SCOPED_TRACE(strategies()[i].id);
    const std::vector<CounterDifference> rows = counterDifferences(traces[i - 1]->total, traces[i]->total);
    const std::string phases = traces[i - 1]->phases.back().label + ", " + traces[i]->phases.back().label;
    for (const auto& [width, height] : {std::pair{1264.0F, 180.0F}, std::pair{1904.0F, 272.0F}}) {
      const SceneContext context{.width = width, .height = height, .unit = width / 1475};
      const Scene scene = differenceScene(
          {{"this phase", phases, rows}, {"so far", "", rows}, {"whole run", "", rows}}, context, kMeasure);
      EXPECT_EQ(textProblems(scene, kMeasure), std::vector<std::string>{});
    }
    std::vector<CounterDifference> alone = rows;
    withoutRight(alone);
    for (const float unit : {0.9F, 1.15F}) {
      const SceneContext context{.width = 1264, .height = 98 * unit, .unit = unit};
      const Scene scene = briefDifferenceScene(
          {{"this phase", "", alone}, {"so far", "", rows}, {"whole run", "", rows}}, context, kMeasure);
      EXPECT_EQ(textProblems(scene, kMeasure), std::vector<std::string>{});
      for (const CounterDifference& row : rows) {
        EXPECT_NE(collectTexts(scene).find(row.name + "\n"), std::string::npos) << row.name;
        EXPECT_NE(collectTexts(scene).find(row.right + "\n"), std::string::npos) << row.name;
      }
    }
  }
}

TEST(DifferenceScene, AnArrowAndBoldTypeMarkTheBetter) {
  Counters left;
  Counters right;
  left.barriers = 2;
  right.barriers = 1;
  for (const auto& [draw, height] :
       {std::pair{&differenceScene, 180.0F}, std::pair{&briefDifferenceScene, 98.0F}}) {
    const SceneContext context{.width = 1264, .height = height};
    const Scene scene = draw({{"so far", "", counterDifferences(left, right)}}, context, kMeasure);
    const std::string texts = collectTexts(scene);
    EXPECT_NE(texts.find("\n→\n"), std::string::npos);
    EXPECT_EQ(texts.find("\n←\n"), std::string::npos);
    const auto isBold = [](const DrawItem& item) {
      return item.kind == Kind::Text && item.font == FontRole::Bold && (item.text == "1" || item.text == "→");
    };
    EXPECT_EQ(std::ranges::count_if(scene.items, isBold), 2);
    EXPECT_EQ(scene.hits.size(), 7U);
  }
}

TEST(BankScene, ALowOneStillShowsTheShuffle) {
  const auto trace = makeTrace("shuffle", 1024, "nvidia");
  SceneContext context{.width = 628, .height = 145, .unit = 0.857F};
  Replay replay(trace);
  std::size_t shown = 0;
  while (replay.forward(Grain::Instruction)) {
    if (replay.currentStep()->kind != StepKind::Shuffle) continue;
    const Scene scene = bankScene(makeMoment(replay), context, kMeasure);
    EXPECT_GT(countItems(scene, Kind::Curve, ColorRole::Operand), 15U);
    EXPECT_EQ(textProblems(scene, kMeasure), std::vector<std::string>{});
    if (++shown == 8) break;
  }
  EXPECT_EQ(shown, 8U);
}

}  // namespace
}  // namespace lanescope
