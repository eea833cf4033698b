#include "app/pictures/chart_scene.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "app/pictures/tests/scene_checks.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {
using Kind = DrawItem::Kind;

constexpr std::array kNames = {
    "Baseline", "No divergence", "No bank conflict", "Add during load", "Unroll last warp", "Shuffle", "CUB"};
constexpr std::array kBandwidths = {432.0, 398.0, 901.0, 1695.0, 2249.0, 2475.0, 4355.0};

BarChart bars() {
  BarChart chart;
  for (std::size_t index = 0; index < kNames.size(); ++index) {
    BarEntry& bar = chart.bars.emplace_back();
    bar.label = kNames[index];
    bar.value = kBandwidths[index];
    bar.text = std::to_string(static_cast<int>(bar.value)) + " GB/s";
    bar.lowerQuartile = bar.value * 0.97;
    bar.upperQuartile = bar.value * 1.02;
  }
  chart.bars[1].highlight = true;
  chart.bars[4].wrong = true;
  chart.bars[4].text = "wrong result";
  chart.bars[6].reference = true;
  chart.lines = {{4380, "read ceiling"}, {4800, "datasheet"}};
  return chart;
}

LineChart lines() {
  LineChart chart;
  for (std::size_t index = 0; index < kNames.size(); ++index) {
    LineSeries& series = chart.series.emplace_back();
    series.label = kNames[index];
    series.color = index;
    for (int exponent = 12; exponent <= 28; exponent += 2) {
      const double n = std::exp2(exponent);
      series.points.push_back({n, kBandwidths[index] * n / (n + 3e7), ""});
    }
  }
  chart.verticals = {{15e6, "L2"}};
  chart.horizontals = {{4380, "read ceiling"}};
  chart.xLabel = "N, elements";
  chart.yLabel = "GB/s";
  return chart;
}

TEST(BarChart, TextFitsAtEverySize) {
  for (const float unit : {0.72F, 1.0F, 1.08F, 1.6F}) {
    for (const float width : {320.0F, 480.0F, 800.0F}) {
      for (const float height : {200.0F, 300.0F}) {
        const SceneContext context{width, height, unit, -1, -1};
        const auto problems = textProblems(barChartScene(bars(), context, kMeasure), kMeasure);
        EXPECT_TRUE(problems.empty()) << unit << " " << width << " x " << height << ": " << problems.front();
      }
    }
  }
}

TEST(BarChart, BarsAreAsLongAsTheirValues) {
  const Scene scene = barChartScene(bars(), {480, 300, 1, -1, -1}, kMeasure);
  std::vector<float> widths;
  for (const DrawItem& item : scene.items) {
    if (item.kind == Kind::FillRect && item.color == ColorRole::Bar) widths.push_back(item.w);
  }
  ASSERT_EQ(widths.size(), 4U);  // the others are highlighted, wrong or a reference
  EXPECT_NEAR(widths[3] / widths[0], 2475.0 / 432.0, 0.02);
  EXPECT_EQ(countItems(scene, Kind::FillRect, ColorRole::BarHighlight), 1U);
  EXPECT_GT(countItems(scene, Kind::Line, ColorRole::Bad), 3U);  // the wrong one is hatched
}

TEST(BarChart, NamesItsLinesWhereTheyAreSeen) {
  BarChart chart = bars();
  for (int more = 0; more < 30; ++more) chart.bars.push_back(chart.bars[0]);
  const float height = leastBarChartHeight(chart, 1);
  for (const float seen : {150.0F, 260.0F, height}) {
    chart.seenBottom = seen;
    const Scene scene = barChartScene(chart, {320, height, 1, -1, -1}, kMeasure);
    const auto label = std::ranges::find(scene.items, std::string("read ceiling"), &DrawItem::text);
    ASSERT_NE(label, scene.items.end()) << seen;
    EXPECT_LT(label->y, seen);
    EXPECT_GT(label->y, seen - 26);
    const auto problems = textProblems(scene, kMeasure);
    EXPECT_TRUE(problems.empty()) << problems.front();
  }
}

TEST(BarChart, KeepsItsLegendAtTheTopOfWhatIsSeen) {
  BarChart chart = bars();
  for (int more = 0; more < 30; ++more) chart.bars.push_back(chart.bars[0]);
  chart.legend = {"on show", "pin 1: another"};
  chart.legendColumns = 2;
  const float height = leastBarChartHeight(chart, 1);
  for (const float top : {7.0F, 40.0F, 111.0F}) {
    chart.seenTop = top;
    chart.seenBottom = top + 150;
    const Scene scene = barChartScene(chart, {480, height, 1, -1, -1}, kMeasure);
    for (const std::string& whose : chart.legend) {
      const auto text = std::ranges::find(scene.items, whose, &DrawItem::text);
      ASSERT_NE(text, scene.items.end()) << whose;
      EXPECT_GT(text->y, top);
      EXPECT_LT(text->y, top + 21) << "in one row";
    }
    ASSERT_FALSE(scene.hits.empty());
    for (const HitArea& row : scene.hits) {
      EXPECT_GE(row.y, top + 20) << "no bar is cut by the legend";
      EXPECT_LE(row.y + row.h, top + 150);
    }
  }
}

TEST(BarChart, SaysThatItIsEmpty) {
  EXPECT_SAYS(testing::splitWords(collectTexts(barChartScene({}, {480, 300, 1, -1, -1}, kMeasure))));
}

TEST(LineChart, TextFitsAtEverySize) {
  for (const float unit : {0.72F, 1.0F, 1.08F, 1.6F}) {
    for (const float width : {320.0F, 480.0F, 800.0F}) {
      for (const float height : {220.0F, 400.0F}) {
        const SceneContext context{width, height, unit, -1, -1};
        const auto problems = textProblems(lineChartScene(lines(), context, kMeasure), kMeasure);
        EXPECT_TRUE(problems.empty()) << unit << " " << width << " x " << height << ": " << problems.front();
      }
    }
  }
}

TEST(LineChart, PutsHigherValuesHigher) {
  const Scene scene = lineChartScene(lines(), {480, 400, 1, -1, -1}, kMeasure);
  const auto place = [&](std::uint32_t series) {
    const HitArea* last = nullptr;
    for (const HitArea& hit : scene.hits) {
      if (hit.index == series) last = &hit;
    }
    return last->y;
  };
  EXPECT_LT(place(6), place(5));
  EXPECT_LT(place(5), place(0));
  EXPECT_LT(place(0), place(1));
}

TEST(LineChart, LeavesOutPointsALogAxisCannotShow) {
  LineChart chart;
  chart.series.push_back({"one", {{0, 5, ""}, {1024, 0, ""}, {1024, 7, ""}}, false, false});
  EXPECT_EQ(lineChartScene(chart, {480, 300, 1, -1, -1}, kMeasure).hits.size(), 1U);
  chart.series[0].points.resize(2);
  EXPECT_SAYS(testing::splitWords(collectTexts(lineChartScene(chart, {480, 300, 1, -1, -1}, kMeasure))));
}

}  // namespace
}  // namespace lanescope
