// The map of a grid's blocks.
#include <algorithm>
#include <cstddef>
#include <set>

#include <gtest/gtest.h>

#include "app/pictures/grid_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {
const GridNote kNote{"8 fit on an SM, by rule", "why"};

/// A trace of that block of a grid: all that its map needs.
Trace traceIn(Dim3 grid, Dim3 block) {
  Trace trace;
  trace.launch.grid = grid;
  trace.tracedBlock = block;
  return trace;
}

Scene makeMap(const Trace& trace, float width = 646) {
  SceneContext context;
  context.width = width;
  context.unit = 13.0F / 15;
  context.height = gridHeight(trace, context, kNote, kMeasure);
  Scene scene = gridScene(trace, context, kNote, kMeasure);
  EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
  for (const DrawItem& item : scene.items)
    EXPECT_LE(item.y + item.h, scene.height + 1) << "nothing leaves the strip";
  return scene;
}

std::vector<const HitArea*> findCells(const Scene& scene) {
  std::vector<const HitArea*> cells;
  for (const HitArea& hit : scene.hits) {
    if (hit.kind == HitArea::Kind::Block) cells.push_back(&hit);
  }
  return cells;
}

std::size_t countRows(const Scene& scene) {
  std::set<float> tops;
  for (const HitArea* cell : findCells(scene)) tops.insert(cell->y);
  return tops.size();
}

TEST(GridMap, OneBlockTakesNoRoom) {
  const Scene scene = makeMap(traceIn({1, 1, 1}, {0, 0, 0}));
  EXPECT_EQ(scene.height, 0);
  EXPECT_TRUE(scene.items.empty());
}

TEST(GridMap, NumbersAllBlocksOrTheTracedOneAlone) {
  std::set<std::ptrdiff_t> counts;
  for (float width = 400; width < 1400; width += 20) {
    const Scene scene = makeMap(traceIn({32, 1, 1}, {3, 0, 0}), width);
    counts.insert(std::ranges::count_if(scene.items, [](const DrawItem& item) {
      return item.kind == DrawItem::Kind::Text &&
             std::ranges::all_of(item.text, [](char letter) { return letter >= '0' && letter <= '9'; });
    }));
  }
  EXPECT_EQ(counts, (std::set<std::ptrdiff_t>{0, 1, 32})) << "0: not even the traced one has room";
}

TEST(GridMap, FewBlocksAreNumberedAndTheTracedOneIsMarked) {
  const Scene scene = makeMap(traceIn({8, 1, 1}, {3, 0, 0}));
  EXPECT_EQ(findCells(scene).size(), 8U);
  EXPECT_EQ(countRows(scene), 1U);
  EXPECT_EQ(countItems(scene, DrawItem::Kind::FillRect, ColorRole::Accent), 1U);
  EXPECT_EQ(countItems(scene, DrawItem::Kind::StrokeRect, ColorRole::Text), 1U) << "not by colour alone";
  const std::string texts = collectTexts(scene);
  EXPECT_SAYS(testing::splitWords(texts));
  EXPECT_EQ(findCells(scene)[5]->index, 5U);
}

TEST(GridMap, AGridOfTwoDimensionsHasItsRows) {
  const Scene scene = makeMap(traceIn({5, 3, 1}, {1, 2, 0}));
  EXPECT_EQ(countRows(scene), 3U);
  const auto cells = findCells(scene);
  ASSERT_EQ(cells.size(), 15U);
  EXPECT_EQ(cells[6]->x, cells[1]->x);
  EXPECT_NE(cells[6]->tooltip.find("(1, 1)"), std::string::npos) << cells[6]->tooltip;
  EXPECT_NE(collectTexts(scene).find("block (1, 2) of 15"), std::string::npos);
}

TEST(GridMap, ManyAreWrappedAndTooManySummarised) {
  for (const std::uint32_t blocks : {64U, 100U, 4224U, 2147483647U}) {
    const Scene scene = makeMap(traceIn({blocks, 1, 1}, {blocks - 1, 0, 0}));
    EXPECT_LE(countRows(scene), 4U) << blocks;
    EXPECT_LE(scene.height, 50) << blocks;
    const auto cells = findCells(scene);
    EXPECT_LE(cells.size(), 400U);
    EXPECT_EQ(cells.size() == blocks, blocks <= 100) << blocks;
    EXPECT_EQ(countItems(scene, DrawItem::Kind::FillRect, ColorRole::Accent), 1U) << blocks;
    EXPECT_LT(cells.back()->index, blocks);
  }
}

TEST(GridMap, ANarrowPanelKeepsTheCells) {
  for (const float width : {200.0F, 260.0F, 340.0F, 480.0F}) {
    const Scene scene = makeMap(traceIn({16, 1, 1}, {15, 0, 0}), width);
    EXPECT_EQ(findCells(scene).size(), 16U) << width;
  }
}

}  // namespace
}  // namespace lanescope
