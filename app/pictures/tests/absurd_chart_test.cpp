// Charts of values that no GPU measures, in pictures of any size: few items, each at a place, and no hang.
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "app/pictures/chart_scene.h"
#include "app/pictures/cost_scene.h"
#include "app/pictures/tests/scene_checks.h"
#include "app/pictures/why_scene.h"

namespace lanescope {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kAbsurd{
    5e-324, 1e-310, 1e-200, 1e-31, 0.0,  -0.0,      -1.0,       -1e308,
    1e30,   1e31,   1e200,  1e308, 1e-3, kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()};
constexpr std::size_t kMostItems = 20000;

/// Values and sizes: absurd ones among others of every order of magnitude.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return engine_() % count; }
  double value() {
    if (below(3) == 0) return kAbsurd[below(kAbsurd.size())];
    return std::pow(10.0, std::uniform_real_distribution<double>(-8, 12)(engine_));
  }
  float length() { return std::floor(std::exp2(std::uniform_real_distribution<float>(0, 12)(engine_))); }
  SceneContext context() {
    return {.width = length(), .height = length(), .unit = 0.7F + 0.1F * static_cast<float>(below(30))};
  }

 private:
  std::mt19937 engine_;
};

void expectPlaced(const Scene& scene, const std::string& what) {
  EXPECT_LT(scene.items.size(), kMostItems) << what;
  for (const DrawItem& item : scene.items) {
    for (const float place : {item.x, item.y, item.w, item.h}) ASSERT_LT(std::abs(place), 1e6F) << what;
  }
}

LineChart randomLines(Random& random) {
  LineChart chart;
  chart.xLabel = "N, elements";
  chart.series.resize(random.below(6));
  for (LineSeries& series : chart.series) {
    series.label = "shuffle";
    series.run = random.below(4);
    series.points.resize(random.below(12));
    for (ChartPoint& point : series.points) point = {random.value(), random.value(), ""};
  }
  for (std::size_t i = 0; i < random.below(3); ++i) {
    chart.verticals.push_back({random.value(), "L2"});
    chart.horizontals.push_back({random.value(), "read ceiling"});
  }
  chart.legend.resize(random.below(4), "H200");
  if (random.below(2) == 0) chart.xRange = {random.value(), random.value()};
  if (random.below(2) == 0) chart.yRange = {random.value(), random.value()};
  return chart;
}

BarChart randomBars(Random& random) {
  BarChart chart;
  chart.bars.resize(random.below(8));
  for (BarEntry& bar : chart.bars) {
    bar = {.label = "shuffle", .value = random.value(), .text = "1 GB/s", .wrong = random.below(2) == 0};
    bar.lowerQuartile = random.value();
    bar.upperQuartile = random.value();
    bar.pinned.push_back({random.below(4), random.value(), ""});
  }
  chart.lines = {{random.value(), "read ceiling"}};
  chart.legend.resize(random.below(4), "H200");
  chart.labelsAbove = random.below(2) == 0;
  return chart;
}

CostChart randomCosts(Random& random) {
  CostChart chart;
  chart.kernels.resize(random.below(5));
  for (KernelCost& kernel : chart.kernels) {
    kernel.title = "Shuffle";
    kernel.us = random.value();
    kernel.basis = random.below(2) == 0 ? CostBasis::Measured : CostBasis::Predicted;
    kernel.pieces.resize(random.below(5));
    for (CostPiece& piece : kernel.pieces) {
      piece.share = random.value();
      piece.code = "sum += in[i];";
    }
  }
  return chart;
}

WhyChart randomReasons(Random& random) {
  WhyChart chart;
  chart.units = {{ProfileMetric::Dram, "DRAM", random.value()}, {ProfileMetric::L2, "L2", random.value()}};
  chart.floorSentence = "DRAM alone takes 1 us.";
  chart.floorScaleUs = random.value();
  chart.floors = {{"DRAM", random.value(), "1 us"}};
  chart.rows.resize(random.below(5));
  for (WhyRow& row : chart.rows) row.parts = {{StallGroup::Slots, random.value()}};
  return chart;
}

TEST(AbsurdValues, LeaveEveryChartWithFewItemsAtPlaces) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const std::string what = "seed " + std::to_string(seed);
    const LineChart lines = randomLines(random);
    SceneContext context = random.context();
    expectPlaced(lineChartScene(lines, context, kMeasure), what + ", lines");
    // Any zoom of it.
    ChartZoom zoom;
    const LineFrame frame = lineChartFrame(lines, context, kMeasure);
    for (int turn = 0; turn < 3; ++turn) {
      zoom.wheel(frame, random.length(), random.length(), static_cast<float>(random.below(9)) - 4);
      zoom.pan(frame, random.length(), -random.length());
      LineChart zoomed = lines;
      zoom.applyTo(zoomed);
      expectPlaced(lineChartScene(zoomed, context, kMeasure), what + ", zoomed");
    }
    context = random.context();
    expectPlaced(barChartScene(randomBars(random), context, kMeasure), what + ", bars");
    expectPlaced(costScene(randomCosts(random), context, kMeasure), what + ", costs");
    expectPlaced(whyScene(randomReasons(random), context, kMeasure), what + ", why");
  }
}

TEST(AbsurdValues, HaveNoPlaceAmongOthers) {
  LineChart chart;
  chart.series = {{.label = "shuffle", .points = {{1024, 5e-324, ""}, {2048, 100, ""}, {4096, 1e308, ""}}}};
  const LineFrame frame = lineChartFrame(chart, {400, 300, 1}, kMeasure);
  EXPECT_DOUBLE_EQ(frame.allY.low, 100);
  EXPECT_DOUBLE_EQ(frame.allY.high, 1000);
  EXPECT_DOUBLE_EQ(frame.allX.low, 2048);
  EXPECT_EQ(charted(0.25), 0.25);
  for (const double value : {5e-324, 1e31, 0.0, -1.0, kInfinity, std::nan("")}) EXPECT_EQ(charted(value), 0);
}

TEST(AbsurdValues, HaveFewTicks) {
  for (const double low : kAbsurd) {
    for (const double high : kAbsurd) {
      for (const double most : kAbsurd) EXPECT_LE(evenTicks(low, high, most).size(), 101U);
      const LogAxis axis{low, high, 0, 400};
      EXPECT_LE(doublingTicks(axis, 20).size(), 1000U) << low << " to " << high;
      EXPECT_LE(decimalTicks({low, high, 400, 0}, 20).size(), 200U) << low << " to " << high;
      EXPECT_LE(makeCostScale(high).ticks.size(), 101U);
    }
  }
  EXPECT_EQ(doublingTicks({1024, 4096, 0, 400}, 300), (std::vector<double>{1024, 4096}));
  EXPECT_EQ(evenTicks(0, 5e-324, 5).size(), 0U);
}

}  // namespace
}  // namespace lanescope
