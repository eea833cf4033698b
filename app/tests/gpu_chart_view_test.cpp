// The GPU panel's charts: from nearer, of several runs, of every family; and looking for a GPU again.
#include <algorithm>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "app/panels/gpu_charts.h"
#include "app/tests/gpu_lab.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

/// The strategies of a family, in the order of the list.
std::vector<std::string> listIds(Family family) {
  std::vector<std::string> ids;
  for (const Strategy& strategy : strategies()) {
    if (strategy.family == family) ids.emplace_back(strategy.id);
  }
  return ids;
}

/// The chart over N of the shipped recording, the pointer away from it.
struct OverN {
  Lab lab{recordingOnly()};
  Headless headless{kProjector};
  Area area;
  ImVec2 away{-1, -1};
  std::size_t whole = 0;  ///< vertices that the whole chart takes

  OverN() {
    EXPECT_TRUE(lab.show("shuffle"));
    area = openGpu(headless);
    headless.click(lab.window, page(headless, area, 2));
    headless.settle(lab.window, away);
    whole = verticesIn(area);
  }
};

TEST(GpuCharts, TheWheelZoomsTheChartOverNAndADoubleClickEndsThat) {
  OverN chart;
  auto& [lab, headless, area, away, whole] = chart;
  const ImVec2 middle(area.x + area.w * 0.4F, area.y + area.h * 0.5F);
  for (int i = 0; i < 4; ++i) {
    ImGui::GetIO().MouseWheel = 1;
    headless.frame(lab.window, middle);
    ImGui::GetIO().MouseWheel = 0;
    headless.frame(lab.window, middle);
  }
  headless.settle(lab.window, away);
  const std::size_t zoomed = verticesIn(area);
  EXPECT_NE(zoomed, whole);
  EXPECT_EQ(problemText(), "");
  // A drag shows another part.
  headless.frame(lab.window, middle);
  headless.frame(lab.window, middle, true);
  for (int i = 1; i <= 6; ++i)
    headless.frame(lab.window, ImVec2(middle.x + 15.0F * static_cast<float>(i), middle.y), true);
  headless.settle(lab.window, away);
  EXPECT_NE(verticesIn(area), zoomed);
  for (int i = 0; i < 2; ++i) {
    headless.frame(lab.window, middle, true);
    headless.frame(lab.window, middle, false);
  }
  headless.settle(lab.window, away);
  EXPECT_EQ(verticesIn(area), whole);
}

TEST(GpuCharts, ADragWithShiftZoomsToABox) {
  OverN chart;
  auto& [lab, headless, area, away, whole] = chart;
  const ImVec2 from(area.x + area.w * 0.3F, area.y + area.h * 0.4F);
  const ImVec2 to(area.x + area.w * 0.5F, area.y + area.h * 0.6F);
  holdShift(true);
  headless.frame(lab.window, from);
  headless.frame(lab.window, from, true);
  headless.frame(lab.window, ImVec2((from.x + to.x) / 2, (from.y + to.y) / 2), true);
  const std::size_t dragging = verticesIn(area);
  headless.frame(lab.window, to, true);
  EXPECT_GT(verticesIn(area), whole) << "the box is drawn";
  EXPECT_NEAR(static_cast<double>(verticesIn(area)), static_cast<double>(dragging), 40)
      << "nothing moves yet";
  headless.frame(lab.window, to, false);
  holdShift(false);
  headless.settle(lab.window, away);
  EXPECT_NE(verticesIn(area), whole) << "another part is shown";
  EXPECT_EQ(problemText(), "");
}

TEST(GpuCharts, WithoutAGpuRunLooksForOne) {
  Lab lab(recordingOnly(), "shuffle");
  ASSERT_TRUE(lab.gpu.isWithoutGpu());
  Headless headless(kProjector, lab.window);
  const Area area = openGpu(headless);
  const std::size_t series = lab.gpu.data().series().size();
  headless.click(lab.window, ImVec2(area.x + area.w - 40, area.y + area.h - 16 * headless.unit()));
  lab.gpu.update(200);
  EXPECT_TRUE(lab.gpu.state() == WorkerState::Starting || lab.gpu.state() == WorkerState::Failed);
  EXPECT_EQ(problemText(), "");
  ASSERT_TRUE(lab.waitFor([&] { return lab.gpu.state() == WorkerState::Failed; }));
  EXPECT_EQ(lab.gpu.data().series().size(), series) << "what is shown stays";
}

TEST(GpuCharts, PinnedLinesAreThereWithoutOnesOfTheirOwn) {
  Lab lab(fake("good"), "reduce-add");
  ASSERT_FALSE(lab.gpu.pin(kShipped));
  BenchChoice choice{.highlighted = findStrategy("reduce-add")};
  const auto findRuns = [](const LineChart& chart) {
    std::vector<std::size_t> runs;
    for (const LineSeries& series : chart.series) runs.push_back(series.run);
    return runs;
  };
  // Nothing measured here yet: the pinned run's lines alone.
  const LineChart pinnedOnly = gpuLines({lab.gpu.data(), lab.gpu.title(), lab.gpu.pins()}, choice);
  EXPECT_EQ(pinnedOnly.series.size(), 5U);
  EXPECT_EQ(std::ranges::count(findRuns(pinnedOnly), 1U), 5);
  EXPECT_EQ(pinnedOnly.legend.size(), 2U);
  // Measured, and the chosen strategy is not in the pinned run: the fastest is compared.
  const BenchData own = loadRecording(kShipped)->data();
  const LineChart both = gpuLines({own, "own", lab.gpu.pins()}, choice);
  EXPECT_EQ(std::ranges::count(findRuns(both), 1U), 1);
}

TEST(GpuCharts, AFamilyIsShownTogether) {
  const BenchData data = loadRecording(kShipped)->data();
  const BenchNumbers numbers{data, "", {}};
  BenchChoice choice;
  const auto makeLabels = [&] {
    std::set<std::string> labels;
    for (const BarEntry& bar : gpuBars(numbers, choice, false).bars) labels.insert(bar.label);
    return labels;
  };
  const auto makeTitle = [](const char* id) { return contenderTitle(id); };
  const std::set<std::string> reductions = makeLabels();
  EXPECT_TRUE(reductions.contains(makeTitle("baseline")));
  EXPECT_FALSE(reductions.contains(makeTitle("vector-add")));
  choice.highlighted = findStrategy("vector-add");
  std::set<std::string> elements;
  for (const std::string& id : listIds(Family::Elements)) elements.insert(makeTitle(id.c_str()));
  EXPECT_EQ(makeLabels(), elements);
  choice.highlighted = findStrategy("transpose-padded");
  EXPECT_EQ(makeLabels().size(), 6U);
  for (const LineSeries& series : gpuLines(numbers, choice).series)
    EXPECT_TRUE(series.reference || series.label.starts_with("Transpose")) << series.label;
  choice.picks = {"shuffle", "transpose-padded"};
  EXPECT_EQ(makeLabels(), (std::set<std::string>{makeTitle("shuffle"), makeTitle("transpose-padded")}));
  // Whole reductions have no transposes: all there is, rather than nothing.
  choice.picks.clear();
  choice.setting.block = 512;
  EXPECT_TRUE(makeLabels().empty());
  const BenchData wholes =
      loadRecording(LANESCOPE_SOURCE_DIR "/assets/recordings/nvidia-h200_one_value.jsonl")->data();
  choice.setting = {256, CacheState::Cold, Scope::Full, ElementType::Float};
  EXPECT_GT(gpuBars({wholes, "", {}}, choice, false).bars.size(), 20U);
}

TEST(GpuCharts, AFamilyIsTimedTogether) {
  BenchChoice choice;
  EXPECT_TRUE(contendersToRun(choice).empty()) << "every reduction";
  choice.highlighted = findStrategy("shuffle");
  EXPECT_TRUE(contendersToRun(choice).empty());
  choice.highlighted = findStrategy("julia-set");
  std::vector<std::string> elements = listIds(Family::Elements);
  EXPECT_EQ(contendersToRun(choice), elements);
  choice.setting.type = ElementType::Double;
  std::erase(elements, "julia-set");
  EXPECT_EQ(contendersToRun(choice), elements) << "Julia set is of floats alone";
  choice.picks = {"shuffle"};
  EXPECT_EQ(contendersToRun(choice), std::vector<std::string>{"shuffle"});
}

TEST(GpuCharts, TheJuliaSetIsPlottedAndSaysWhatItsBandwidthIs) {
  Lab lab(fake("good"), "julia-set");
  BenchChoice choice{.highlighted = findStrategy("julia-set")};
  BenchPlan plan{.strategies = {"vector-add", "julia-set"}, .sizes = {choice.n}};
  ASSERT_FALSE(lab.gpu.run(plan));
  ASSERT_TRUE(lab.waitFor(
      [&] { return lab.gpu.state() == WorkerState::Ready && lab.gpu.data().series().size() == 2; }));
  const BenchNumbers numbers{lab.gpu.data(), lab.gpu.title(), lab.gpu.pins()};
  const BarChart bars = gpuBars(numbers, choice, false);
  ASSERT_EQ(bars.bars.size(), 2U);
  EXPECT_EQ(bars.bars[0].text.find("written"), std::string::npos) << bars.bars[0].text;
  EXPECT_NE(bars.bars[1].text.find("GB/s written"), std::string::npos) << bars.bars[1].text;
  EXPECT_TRUE(bars.bars[1].highlight);
  EXPECT_EQ(gpuBars(numbers, choice, true).bars[1].text.find("written"), std::string::npos);
  Headless headless(kProjector);
  for (int number = 0; number < 3; ++number) {
    headless.click(lab.window, page(headless, openGpu(headless), number));
    headless.settle(lab.window);
    EXPECT_EQ(problemText(), "") << "page " << number;
  }
}

TEST(GpuCharts, EveryNHasAFloorThatNothingIsBelow) {
  Lab lab(recordingOnly(), "float4-loads");
  const BenchNumbers numbers{lab.gpu.data(), lab.gpu.title(), {}};
  for (const CacheState cache : {CacheState::Cold, CacheState::Warm}) {
    for (const char* id : {"float4-loads", "transpose-unrolled", "vector-add"}) {
      BenchChoice choice;
      choice.setting.cache = cache;
      choice.highlighted = findStrategy(id);
      const LineChart lines = gpuLines(numbers, choice);
      const auto floor = std::ranges::find(lines.series, "floor", &LineSeries::label);
      ASSERT_NE(floor, lines.series.end()) << id;
      EXPECT_EQ(floor->points.size(), numbers.data.sizes(choice.setting).size());
      for (const LineSeries& series : lines.series) {
        if (series.label == "Julia set") continue;
        for (const ChartPoint& point : series.points) {
          const auto same = std::ranges::find(floor->points, point.x, &ChartPoint::x);
          EXPECT_LE(point.y, same->y) << series.label << " at " << point.x;
          EXPECT_EQ(point.tooltip.find("of the floor's bandwidth") != std::string::npos, &series != &*floor);
        }
      }
    }
  }
}

/// A recording of another GPU that is half as fast.
std::string otherGpu() {
  std::ifstream shipped(kShipped);
  std::string path = ::testing::TempDir() + "lanescope_other_gpu.jsonl";
  std::ofstream other(path);
  for (std::string line; std::getline(shipped, line);) {
    auto message = parseMessage(line).value();
    if (auto* hello = std::get_if<HelloMessage>(&message)) hello->gpu = "NVIDIA A100-SXM4-80GB";
    if (auto* ceiling = std::get_if<CeilingMessage>(&message)) ceiling->gbps /= 2;
    if (auto* result = std::get_if<ResultMessage>(&message)) {
      result->gbps /= 2;
      result->medianUs *= 2;
    }
    other << toLine(message) << '\n';
  }
  return path;
}

TEST(GpuCharts, SeveralGpusStandSideBySide) {
  Lab lab(recordingOnly(), "shuffle");
  const std::string other = otherGpu();
  for (int i = 0; i < 2; ++i) ASSERT_FALSE(lab.gpu.pin(other));
  const BenchNumbers numbers{lab.gpu.data(), lab.gpu.title(), lab.gpu.pins()};
  BenchChoice choice{.highlighted = findStrategy("shuffle")};
  const BarChart bars = gpuBars(numbers, choice, false);
  ASSERT_EQ(bars.legend.size(), 3U);
  EXPECT_SAYS(bars.legend[0]);
  EXPECT_SAYS(bars.legend[1]);
  for (const BarEntry& bar : bars.bars) {
    if (bar.wrong) continue;
    ASSERT_EQ(bar.pinned.size(), 2U) << bar.label;
    EXPECT_NEAR(bar.pinned[0].value, bar.value / 2, bar.value * 1e-3);
    EXPECT_SAYS(bar.pinned[0].text);
  }
  const LineChart lines = gpuLines(numbers, choice);
  EXPECT_EQ(lines.legend, bars.legend);
  EXPECT_EQ(std::ranges::count(lines.series, 1U, &LineSeries::run), 1) << "the chosen strategy's";
  EXPECT_EQ(lines.horizontals.size(), 3U) << "each GPU has its ceiling";
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    for (const bool isLarge : {false, true}) {
      lab.window.state().maximised = isLarge ? std::optional("gpu") : std::nullopt;
      const Area area = isLarge ? largeGpu(headless) : openGpu(headless);
      for (int number = 0; number < 3; ++number) {
        headless.settle(lab.window);
        headless.click(lab.window, page(headless, area, number));
        headless.settle(lab.window);
        EXPECT_EQ(problemText(), "") << "page " << number << " width " << size.x << isLarge;
      }
    }
  }
}

TEST(GpuCharts, ATextHasItsBarOnlyWhereItWasTimed) {
  BenchChoice choice;
  TextOutcome text;
  text.title = "shuffle.cu, edited";
  text.timing = TextTiming{{false, 20, 19, 21, 3350, 20}, "H200", choice.n, 256, ElementType::Float};
  BarChart chart;
  addTextBar(chart, text, choice, false);
  ASSERT_EQ(chart.bars.size(), 1U);
  EXPECT_DOUBLE_EQ(chart.bars[0].value, 3350);
  EXPECT_NEAR(chart.bars[0].upperQuartile, 3350 * 20.0 / 19, 0.1);
  addTextBar(chart, text, choice, true);
  EXPECT_DOUBLE_EQ(chart.bars[1].value, 20) << "below the other highlighted one";
  const auto bars = [&](const BenchChoice& other) {
    BarChart fresh;
    addTextBar(fresh, text, other, false);
    return fresh.bars.size();
  };
  BenchChoice other = choice;
  other.n *= 2;
  EXPECT_EQ(bars(other), 0U);
  other = choice;
  other.setting.cache = CacheState::Warm;
  EXPECT_EQ(bars(other), 0U);
  other = choice;
  other.setting.scope = Scope::Full;
  EXPECT_EQ(bars(other), 0U);
  other = choice;
  other.setting.type = ElementType::Double;
  EXPECT_EQ(bars(other), 0U);
  text.timing->wrong = true;
  chart = {};
  addTextBar(chart, text, choice, false);
  EXPECT_TRUE(chart.bars[0].wrong);
  EXPECT_EQ(chart.bars[0].value, 0);
}

}  // namespace
}  // namespace lanescope
