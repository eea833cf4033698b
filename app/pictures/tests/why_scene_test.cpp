// The page "why": a stacked bar for each profiled kernel.
#include "app/pictures/why_scene.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "app/pictures/base/scene_builder.h"
#include "app/pictures/tests/scene_checks.h"
#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {

using Kind = DrawItem::Kind;

WhyChart makeChart(std::size_t rows) {
  WhyChart chart;
  chart.sentence = "Line 11 takes 51% of the warps' time.";
  chart.units = {{ProfileMetric::IssueSlots, "issue slots", 81}, {ProfileMetric::Dram, "DRAM", 23}};
  for (std::size_t i = 0; i < rows; ++i) {
    chart.rows.push_back(
        {"Kernel " + std::to_string(i),
         {{StallGroup::Global, 0.5}, {StallGroup::Barrier, 0.25}, {StallGroup::Issued, 0.25}},
         "line 1, 50%",
         "tip",
         i == 1});
  }
  return chart;
}

TEST(WhyScene, AllKernelsFitAndTheirPartsFillTheirBars) {
  const std::size_t kernels = strategies().size();
  const WhyChart chart = makeChart(kernels);
  SceneContext context{420, 100};
  context.height = leastWhyHeight(chart, context, ApproximateMeasure());
  const Scene scene = whyScene(chart, context, ApproximateMeasure());
  EXPECT_EQ(std::ranges::count(scene.hits, HitArea::Kind::Strategy, &HitArea::kind),
            std::ssize(strategies()));
  for (const HitArea& hit : scene.hits) EXPECT_LE(hit.y + hit.h, context.height + 0.01F);
  EXPECT_LT(scene.items.size(), 10 * kernels) << "a handful for each kernel: within a frame's budget";
  const auto& first = scene.hits.front();
  float parts = 0;
  for (const DrawItem& item : scene.items) {
    const bool isPart = item.color == ColorRole::Operand || item.color == ColorRole::LaneWaiting ||
                        item.color == ColorRole::LaneActive;
    if (isPart && first.contains(item.x + 0.1F, item.y + 0.1F)) parts += item.w;
  }
  const auto global = std::ranges::find_if(scene.items, [&](const DrawItem& item) {
    return item.color == ColorRole::Operand && first.contains(item.x + 0.1F, item.y + 0.1F);
  });
  ASSERT_NE(global, scene.items.end());
  EXPECT_NEAR(global->w / parts, 0.5F, 0.02F);
}

/// A window that ends anywhere in the legend shows its squares with their words or not at all.
TEST(WhyScene, ALegendIsCutWithItsSquares) {
  const SceneContext context{600, 600};
  WhyChart chart = makeChart(3);
  for (WhyRow& row : chart.rows) row.parts = {{StallGroup::Global, 0.5}, {StallGroup::Slots, 0.5}};
  const Scene whole = whyScene(chart, context, ApproximateMeasure());
  const auto word =
      std::ranges::find(whole.items, std::string(stallGroupWords(StallGroup::Global)), &DrawItem::text);
  ASSERT_NE(word, whole.items.end());
  const DrawItem square = *std::prev(word);
  ASSERT_EQ(square.kind, DrawItem::Kind::FillRect);
  std::size_t cut = 0;
  for (float bottom = word->y - 10; bottom < word->y + 10; bottom += 0.5F) {
    std::vector<DrawItem> items = whole.items;
    dropCutLetters(items, 0, bottom);
    const bool hasWord = std::ranges::find(items, word->text, &DrawItem::text) != items.end();
    const bool hasSquare = std::ranges::any_of(items, [&](const DrawItem& item) {
      return item.kind == square.kind && item.x == square.x && item.y == square.y && item.w == square.w;
    });
    const bool hasHatching = std::ranges::any_of(items, [&](const DrawItem& item) {
      return item.kind == DrawItem::Kind::Line && std::abs(item.y - word->y) <= square.h / 2;
    });
    EXPECT_EQ(hasSquare, hasWord) << bottom - word->y;
    EXPECT_EQ(hasHatching, hasWord) << bottom - word->y;
    cut += hasWord ? 0 : 1;
  }
  EXPECT_GT(cut, 0U);
}

TEST(WhyScene, FloorsAreToTheScaleOfTheMeasuredTime) {
  WhyChart chart = makeChart(0);
  chart.floorSentence = "At least 61.4 µs.";
  chart.floors = {{"DRAM, floor", 60, "60.0 µs"}, {"L2, floor", 15, "15.0 µs"}};
  chart.floorScaleUs = 120;
  const Scene scene = whyScene(chart, {600, 400}, ApproximateMeasure());
  const auto textAt = [&](const std::string& text) {
    return std::ranges::find(scene.items, text, &DrawItem::text);
  };
  ASSERT_NE(textAt("DRAM, floor"), scene.items.end());
  ASSERT_NE(textAt("15.0 µs"), scene.items.end());
  std::vector<float> widths;
  float track = 0;
  for (const DrawItem& item : scene.items) {
    if (item.y < textAt("DRAM, floor")->y - 12) continue;
    if (item.color == ColorRole::Cell) track = std::max(track, item.w);
    if (item.color == ColorRole::Bar || item.color == ColorRole::BarHighlight) widths.push_back(item.w);
  }
  ASSERT_EQ(widths.size(), 2U);
  EXPECT_NEAR(widths[0] / track, 0.5F, 0.01F);
  EXPECT_NEAR(widths[1] / track, 0.125F, 0.01F);
  chart.floorScaleUs = 0;
  EXPECT_FALSE(whyScene(chart, {600, 400}, ApproximateMeasure()).items.empty());
}

TEST(WhyScene, SaysWhatTheRecordingLacks) {
  WhyChart chart = makeChart(2);
  chart.units.clear();
  const Scene scene = whyScene(chart, {600, 300}, ApproximateMeasure());
  const auto isLack = [](const DrawItem& item) {
    return item.text.find("no throughputs") != std::string::npos;
  };
  EXPECT_TRUE(std::ranges::any_of(scene.items, isLack));
  chart.rows.clear();
  EXPECT_TRUE(whyScene(chart, {600, 300}, ApproximateMeasure()).hits.empty());
}

/// In any greys of a theme: waiting at a barrier is plain, a delay by another warp's slot is hatched, the
/// rest is hollow, in the bar and in the legend.
TEST(WhyScene, GreyGroupsDifferWithoutColor) {
  const auto countShownItems = [](StallGroup group, Kind kind) {
    WhyChart chart = makeChart(1);
    chart.rows.front().parts = {{group, 1}};
    const Scene scene = whyScene(chart, {420, 300}, ApproximateMeasure());
    return std::pair{countItems(scene, kind, stallColor(group)),
                     countItems(scene, Kind::Line, ColorRole::Panel)};
  };
  EXPECT_EQ(countShownItems(StallGroup::Barrier, Kind::FillRect), std::pair(2UL, 0UL));
  EXPECT_EQ(countShownItems(StallGroup::Slots, Kind::FillRect).first, 2U);
  EXPECT_GT(countShownItems(StallGroup::Slots, Kind::FillRect).second, 10U);
  EXPECT_EQ(countShownItems(StallGroup::Other, Kind::StrokeRect), std::pair(2UL, 0UL));
  EXPECT_EQ(countShownItems(StallGroup::Other, Kind::FillRect).first, 0U);
}

TEST(WhyScene, GroupsTakeTheirReasonsShares) {
  Diagnosis diagnosis;
  diagnosis.stalls = {{toStallReason("long_sb"), "long_sb", 5, 0.5},
                      {toStallReason("lg"), "lg", 2, 0.2},
                      {toStallReason("barrier"), "barrier", 3, 0.3}};
  const std::vector<WhyPart> parts = whyParts(diagnosis);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].group, StallGroup::Global);
  EXPECT_NEAR(parts[0].share, 0.7, 1e-12);
}

}  // namespace
}  // namespace lanescope
