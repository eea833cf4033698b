// Charts from nearer, and charts that compare runs.
#include "app/pictures/chart_scene.h"

#include <cmath>

#include <gtest/gtest.h>

#include "app/pictures/tests/scene_checks.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {
using Kind = DrawItem::Kind;

const SceneContext kSpace{480, 400, 1, -1, -1};

LineChart threeLines() {
  LineChart chart;
  for (std::size_t index = 0; index < 3; ++index) {
    LineSeries& series = chart.series.emplace_back();
    series.label = "Series " + std::to_string(index);
    series.color = index;
    for (int exponent = 12; exponent <= 28; exponent += 2) {
      const double n = std::exp2(exponent);
      series.points.push_back({n, 1000.0 * static_cast<double>(index + 1) * n / (n + 3e7), ""});
    }
  }
  chart.horizontals = {{4380, "read ceiling"}};
  chart.xLabel = "N, elements";
  chart.yLabel = "GB/s";
  return chart;
}

LineFrame makeFrame(const ChartZoom& zoom) {
  LineChart chart = threeLines();
  zoom.applyTo(chart);
  return lineChartFrame(chart, kSpace, ApproximateMeasure());
}

/// The value of an axis at a share of it.
double valueAt(const ChartRange& range, double share) {
  return std::exp(std::log(range.low) + share * (std::log(range.high) - std::log(range.low)));
}

TEST(ChartZoom, TheWheelKeepsWhatIsUnderThePointer) {
  ChartZoom zoom;
  const LineFrame before = makeFrame(zoom);
  const float x = before.left + 0.75F * (before.right - before.left);
  const float y = before.bottom - 0.5F * (before.bottom - before.top);
  zoom.wheel(before, x, y, 3);
  EXPECT_TRUE(zoom.isZoomed());
  const LineFrame after = makeFrame(zoom);
  EXPECT_NEAR(valueAt(after.x, 0.75), valueAt(before.x, 0.75), valueAt(before.x, 0.75) * 1e-3);
  EXPECT_NEAR(valueAt(after.y, 0.5), valueAt(before.y, 0.5), valueAt(before.y, 0.5) * 1e-3);
  EXPECT_LT(after.x.high / after.x.low, before.x.high / before.x.low);
  EXPECT_EQ(after.allX, before.allX);
  zoom.wheel(after, x, y, -10);
  EXPECT_FALSE(zoom.isZoomed()) << "no farther than everything";
}

TEST(ChartZoom, OverAnAxisOnlyThatOneChanges) {
  ChartZoom zoom;
  const LineFrame frame = makeFrame(zoom);
  zoom.wheel(frame, frame.left - 10, (frame.top + frame.bottom) / 2, 2);
  EXPECT_EQ(makeFrame(zoom).x, frame.x);
  EXPECT_NE(makeFrame(zoom).y, frame.y);
  zoom.reset();
  zoom.wheel(frame, (frame.left + frame.right) / 2, frame.bottom + 10, 2);
  EXPECT_NE(makeFrame(zoom).x, frame.x);
  EXPECT_EQ(makeFrame(zoom).y, frame.y);
}

TEST(ChartZoom, EndsAtADoublingOfN) {
  ChartZoom zoom;
  for (int i = 0; i < 100; ++i) {
    const LineFrame frame = makeFrame(zoom);
    zoom.wheel(frame, (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2, 1);
  }
  const LineFrame frame = makeFrame(zoom);
  EXPECT_NEAR(frame.x.high / frame.x.low, 2, 1e-6);
  EXPECT_NEAR(frame.y.high / frame.y.low, 1.1, 1e-6);
}

TEST(ChartZoom, ADragMovesItAndNotPastTheEnds) {
  ChartZoom zoom;
  const LineFrame all = makeFrame(zoom);
  zoom.pan(all, 50, 50);
  EXPECT_FALSE(zoom.isZoomed()) << "everything is there already";
  zoom.wheel(all, (all.left + all.right) / 2, (all.top + all.bottom) / 2, 4);
  const LineFrame before = makeFrame(zoom);
  zoom.pan(before, before.left - before.right, 0);
  const LineFrame after = makeFrame(zoom);
  EXPECT_GT(after.x.low, before.x.low);
  EXPECT_LE(after.x.high, all.x.high * 1.0001);
  EXPECT_EQ(after.y.low, before.y.low);
  for (int i = 0; i < 20; ++i) zoom.pan(makeFrame(zoom), 300, 300);
  EXPECT_NEAR(makeFrame(zoom).x.low, all.x.low, all.x.low * 1e-3);
  EXPECT_NEAR(makeFrame(zoom).y.high, all.y.high, all.y.high * 1e-3);
}

TEST(ChartZoom, ABoxShowsWhatIsInIt) {
  ChartZoom zoom;
  const LineFrame all = makeFrame(zoom);
  const float x0 = all.left + 0.25F * (all.right - all.left);
  const float x1 = all.left + 0.75F * (all.right - all.left);
  const float y0 = all.top + 0.2F * (all.bottom - all.top);
  const float y1 = all.top + 0.6F * (all.bottom - all.top);
  const auto valueAt = [](ChartRange range, double share) {
    return range.low * std::pow(range.high / range.low, share);
  };
  for (const bool isBackwards : {false, true}) {
    zoom.reset();
    if (isBackwards) {
      zoom.box(all, x1, y1, x0, y0);
    } else {
      zoom.box(all, x0, y0, x1, y1);
    }
    const LineFrame frame = makeFrame(zoom);
    EXPECT_NEAR(frame.x.low / valueAt(all.x, 0.25), 1, 1e-4);
    EXPECT_NEAR(frame.x.high / valueAt(all.x, 0.75), 1, 1e-4);
    EXPECT_NEAR(frame.y.low / valueAt(all.y, 0.4), 1, 1e-4);
    EXPECT_NEAR(frame.y.high / valueAt(all.y, 0.8), 1, 1e-4);
  }
  zoom.reset();
  zoom.box(all, x0, y0, x0 + 2, y1);
  EXPECT_FALSE(zoom.isZoomed()) << "a twitch of the hand is no box";
  zoom.box(all, all.left - 500, all.top - 500, all.right + 500, all.bottom + 500);
  EXPECT_FALSE(zoom.isZoomed()) << "everything";
  zoom.box(all, x0, y0, x0 + 7, y0 + 7);
  EXPECT_NEAR(makeFrame(zoom).x.high / makeFrame(zoom).x.low, 2, 1e-6) << "no nearer than a doubling";
}

TEST(ChartZoom, NothingIsDrawnOutsideThePlotAndTicksCanBeRead) {
  ChartZoom zoom;
  for (int i = 0; i < 14; ++i) {
    const LineFrame frame = makeFrame(zoom);
    LineChart chart = threeLines();
    zoom.applyTo(chart);
    const Scene scene = lineChartScene(chart, kSpace, kMeasure);
    std::size_t ticks = 0;
    for (const DrawItem& item : scene.items) {
      if (item.kind == Kind::Text && item.y > frame.bottom && item.y < frame.bottom + 20) ++ticks;
      if (item.kind != Kind::Line) continue;
      for (const float x : {item.x, item.x + item.w}) {
        EXPECT_GE(x, frame.left - 1);
        EXPECT_LE(x, frame.right + 1);
      }
      for (const float y : {item.y, item.y + item.h}) {
        EXPECT_GE(y, frame.top - 1);
        EXPECT_LE(y, frame.bottom + 1);
      }
    }
    for (const HitArea& hit : scene.hits) EXPECT_GE(hit.x + hit.w / 2, frame.left - 1);
    EXPECT_GE(ticks, 2U) << "after " << i << " notches";
    const auto problems = textProblems(scene, kMeasure);
    EXPECT_TRUE(problems.empty()) << problems.front() << " after " << i << " notches";
    zoom.wheel(frame, frame.left + 0.6F * (frame.right - frame.left), (frame.top + frame.bottom) / 2, 1);
  }
}

TEST(ChartAxis, TicksAreEvenAndRound) {
  EXPECT_EQ(evenTicks(95, 310, 5), (std::vector<double>{100, 150, 200, 250, 300}));
  EXPECT_EQ(sizeLabel(1536), "1.5K");
  EXPECT_EQ(sizeLabel(1 << 20), "1M");
  EXPECT_EQ(sizeLabel(12), "12");
}

TEST(ChartAxis, LinesAreCutToTheBox) {
  const Rect box{0, 0, 10, 10};
  float x0 = -10, y0 = 5, x1 = 20, y1 = 5;
  ASSERT_TRUE(cutLine(box, x0, y0, x1, y1));
  EXPECT_FLOAT_EQ(x0, 0);
  EXPECT_FLOAT_EQ(x1, 10);
  x0 = -10, y0 = 0, x1 = 5, y1 = 30;
  EXPECT_FALSE(cutLine(box, x0, y0, x1, y1));
  x0 = 3, y0 = 3, x1 = 3, y1 = 3;
  EXPECT_TRUE(cutLine(box, x0, y0, x1, y1)) << "a point inside";
}

TEST(ComparedRuns, HaveALegendAndBarsOfTheirOwn) {
  BarChart chart;
  for (int i = 0; i < 4; ++i) {
    BarEntry& bar = chart.bars.emplace_back();
    bar.label = "Bar " + std::to_string(i);
    bar.value = 100 * (i + 1);
    bar.text = "text";
    bar.pinned = {{1, 50.0, "pin 1: 50"}, {2, 300.0, "pin 2: 300"}, {3, 150, "pin 3: 150"}};
  }
  chart.legend = {"NVIDIA H200, 2026-11-21", "pin 1: NVIDIA A100, 2026-11-02", "pin 2: NVIDIA L4, 2026-10-15",
                  "pin 3: NVIDIA T4, 2026-10-01"};
  for (const float unit : {0.72F, 1.0F, 1.6F}) {
    const float height = leastBarChartHeight(chart, unit);
    const Scene scene = barChartScene(chart, {480 * unit, height, unit, -1, -1}, kMeasure);
    const auto problems = textProblems(scene, kMeasure);
    EXPECT_TRUE(problems.empty()) << problems.front();
    EXPECT_SAYS(testing::splitWords(collectTexts(scene)));
    // Each row's thin bars lie in the row.
    EXPECT_EQ(countItems(scene, Kind::FillRect, ColorRole::BarReference), 5U);     // four and the legend's
    EXPECT_EQ(countItems(scene, Kind::StrokeRect, ColorRole::BarReference), 10U);  // of two runs
    for (std::size_t i = 0; i + 1 < scene.hits.size(); ++i)
      EXPECT_LE(scene.hits[i].y + scene.hits[i].h, scene.hits[i + 1].y + 0.5F);
    EXPECT_NE(scene.hits[0].tooltip.find("pin 3: 150"), std::string::npos);
  }
}

TEST(ComparedRuns, HaveDashedLines) {
  LineChart chart = threeLines();
  const auto linesIn = [](const Scene& scene) {
    return countItems(scene, Kind::Line, ColorRole::Bar) +
           countItems(scene, Kind::Line, ColorRole::BarHighlight);
  };
  const std::size_t before = linesIn(lineChartScene(chart, kSpace, kMeasure));
  chart.series.push_back(chart.series[0]);
  chart.series.back().run = 2;
  for (ChartPoint& point : chart.series.back().points) point.y *= 0.4;
  chart.legend = {"NVIDIA H200, 2026-11-21", "pin 1: none", "pin 2: NVIDIA L4, 2026-10-15"};
  const Scene scene = lineChartScene(chart, kSpace, kMeasure);
  EXPECT_GT(linesIn(scene), before + 20) << "many short pieces";
  EXPECT_TRUE(textProblems(scene, kMeasure).empty()) << textProblems(scene, kMeasure).front();
}

}  // namespace
}  // namespace lanescope
