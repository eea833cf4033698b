// The GPU panel's choice of a grid, and how it shows series that differ in their number of blocks.
#include <algorithm>
#include <array>
#include <set>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/panels/gpu_charts.h"
#include "app/panels/gpu_options.h"
#include "app/pictures/base/scene.h"
#include "app/tests/gpu_lab.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kN = std::uint64_t{1} << 24U;
constexpr std::array<std::uint64_t, 3> kGrids{0, 132, 1056};

/// float4-loads with grids of its own, of 132 and of 1,056 blocks, at two N; the more blocks the faster.
BenchData sweep(double scale = 1) {
  BenchData data;
  HelloMessage hello{.gpu = "NVIDIA H200", .sms = 132};
  data.apply(hello);
  const BenchSetting setting;
  for (const std::uint64_t n : {kN / 4, kN}) {
    for (const std::uint64_t blocks : kGrids) {
      ResultMessage result;
      result.run = 1;
      result.series = setting.key("float4-loads", n, blocks);
      result.grid = blocks == 0 ? 4224 : blocks;
      result.verified = true;
      result.medianUs = scale * (blocks == 0 ? 10 : 50 - 0.01 * static_cast<double>(blocks));
      result.bytes = 4 * n;
      result.gbps = 4.0 * static_cast<double>(n) / result.medianUs / 1e3;
      result.samples = 5;
      data.apply(result);
    }
    ResultMessage baseline;
    baseline.run = 1;
    baseline.series = setting.key("baseline", n);
    baseline.verified = true;
    baseline.medianUs = 100;
    baseline.gbps = 1;
    baseline.samples = 5;
    data.apply(baseline);
  }
  return data;
}

TEST(GpuBlocks, EveryGridHasABarOfItsOwn) {
  const BenchData data = sweep();
  BenchChoice choice{.highlighted = findStrategy("float4-loads")};
  const BarChart chart = gpuBars({data, "", {}}, choice, true);
  ASSERT_EQ(chart.bars.size(), 4U);
  std::set<std::string> names;
  for (const BarEntry& bar : chart.bars) names.insert(bar.label + "/" + bar.detail);
  const std::string title = contenderTitle("float4-loads");
  EXPECT_EQ(names, (std::set<std::string>{contenderTitle("baseline") + "/", title + "/",
                                          title + "/132 blocks", title + "/1,056 blocks"}));
  const auto makeBar = [&](const char* detail) {
    return *std::ranges::find_if(
        chart.bars, [&](const BarEntry& bar) { return bar.label == title && bar.detail == detail; });
  };
  EXPECT_DOUBLE_EQ(makeBar("").value, 10);
  EXPECT_DOUBLE_EQ(makeBar("132 blocks").value, 48.68);
  EXPECT_DOUBLE_EQ(makeBar("1,056 blocks").value, 39.44);
  EXPECT_SAYS(makeBar("132 blocks").note);
  EXPECT_SAYS(makeBar("").note) << "its own grid has them, too";
}

TEST(GpuBlocks, TheChartOverNDoesNotMixThem) {
  const BenchData data = sweep();
  BenchChoice choice{.highlighted = findStrategy("float4-loads")};
  const LineChart chart = gpuLines({data, "", {}}, choice);
  std::set<std::string> details;
  std::set<std::size_t> colors;
  for (const LineSeries& series : chart.series) {
    EXPECT_EQ(series.points.size(), 2U) << series.label << series.detail;
    if (!series.highlight) continue;
    details.insert(series.detail);
    colors.insert(series.color);
    for (const ChartPoint& point : series.points) {
      const double us = 4.0 * point.x / point.y / 1e3;
      EXPECT_NEAR(us, series.detail.empty() ? 10 : series.detail == "132 blocks" ? 48.68 : 39.44, 1e-6);
    }
  }
  EXPECT_EQ(details, (std::set<std::string>{"", "132 blocks", "1,056 blocks"}));
  EXPECT_EQ(colors.size(), 3U);
  // A strategy that is not the current one has one line, unless it was picked.
  const auto readLines = [&] {
    const LineChart other = gpuLines({data, "", {}}, choice);
    return std::ranges::count(other.series, contenderTitle("float4-loads"), &LineSeries::label);
  };
  choice.highlighted = findStrategy("baseline");
  EXPECT_EQ(readLines(), 1);
  choice.picks = {"float4-loads", "baseline"};
  EXPECT_EQ(readLines(), 3);
}

TEST(GpuBlocks, APinnedGridIsComparedWithItself) {
  const BenchData data = sweep();
  const std::vector<PinnedBench> pins{{"other", sweep(2), {}}};
  BenchChoice choice{.highlighted = findStrategy("float4-loads")};
  const BarChart chart = gpuBars({data, "own", pins}, choice, true);
  for (const BarEntry& bar : chart.bars) {
    if (!bar.highlight) continue;
    ASSERT_EQ(bar.pinned.size(), 1U) << bar.detail;
    EXPECT_DOUBLE_EQ(bar.pinned[0].value, 2 * bar.value) << bar.detail;
  }
  // A grid that only the pinned run has is shown beside the others.
  BenchData ownOnly;
  ownOnly.apply(*data.find(choice.setting.key("float4-loads", kN))->result);
  const BarChart pinned = gpuBars({ownOnly, "own", pins}, choice, true);
  const auto only = std::ranges::find(pinned.bars, std::string("132 blocks"), &BarEntry::detail);
  ASSERT_NE(only, pinned.bars.end());
  EXPECT_SAYS(only->text);
}

TEST(GpuBlocks, ManyGridsAreThinnedOutOverN) {
  EXPECT_EQ(spread({0, 1, 2, 3, 4, 5, 6, 7, 8}, 5), (std::vector<std::uint64_t>{0, 2, 4, 6, 8}));
  EXPECT_EQ(spread({0, 7}, 5), (std::vector<std::uint64_t>{0, 7}));
}

TEST(GpuBlocks, TheNumberIsReadWhereThereIsNoRoomForTheName) {
  const BenchData data = sweep();
  BenchChoice choice{.highlighted = findStrategy("float4-loads")};
  SceneContext context{.width = 300, .height = 200};
  const ApproximateMeasure measure;
  const Scene bars = barChartScene(gpuBars({data, "", {}}, choice, false), context, measure);
  const Scene lines = lineChartScene(gpuLines({data, "", {}}, choice), context, measure);
  for (const char* number : {"132 blocks", "1,056 blocks"}) {
    EXPECT_NE(std::ranges::find(bars.items, number, &DrawItem::text), bars.items.end()) << number;
    EXPECT_NE(std::ranges::find(lines.items, number, &DrawItem::text), lines.items.end()) << number;
  }
  const std::string title = contenderTitle("float4-loads");
  EXPECT_TRUE(std::ranges::any_of(bars.hits, [&](const HitArea& hit) {
    return hit.tooltip.find(title + ", 132 blocks: ") == 0 &&
           hit.tooltip.find("496.5 elements per thread") != std::string::npos;
  })) << "the whole name in the tooltip";
}

/// The open menu of the panel's grid, or nullptr.
const ImGuiWindow* menu() {
  const ImGuiWindow* window = ImGui::FindWindowByName("##Combo_00");
  return window != nullptr && window->WasActive ? window : nullptr;
}

/// Clicks the middle of the menu's row: 0 is its heading.
void clickRow(Headless& headless, Lab& lab, int row) {
  ASSERT_NE(menu(), nullptr);
  const float pitch = 20 * headless.unit();
  const ImVec2 at(menu()->Pos.x + 30 * headless.unit(),
                  menu()->Pos.y + 10 * headless.unit() + pitch * (static_cast<float>(row) + 0.4F));
  headless.click(lab.window, at);
}

/// Where the panel's grid is chosen, and its Run.
ImVec2 gridChoice(const Headless& headless, const Area& area) {
  return in(headless, area, 258, area.h / headless.unit() - 16);
}
ImVec2 runButton(const Headless& headless, const Area& area) {
  return in(headless, area, area.w / headless.unit() - 40, area.h / headless.unit() - 16);
}

TEST(GpuBlocks, AGridIsChosenInThePanelAndTimed) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(fake("good"), "float4-loads");
    Headless headless(size, lab.window);
    const Area area = openGpu(headless);
    EXPECT_EQ(problemText(), "");
    headless.click(lab.window, gridChoice(headless, area));
    headless.settle(lab.window);
    ASSERT_NE(menu(), nullptr) << size.x;
    EXPECT_FALSE(menu()->ScrollbarY);
    EXPECT_EQ(problemText(), "") << "the open menu, " << size.x;
    clickRow(headless, lab, 3);  // own, 1, 16
    headless.settle(lab.window);
    EXPECT_EQ(menu(), nullptr);
    headless.click(lab.window, runButton(headless, area));
    ASSERT_TRUE(lab.waitFor([&] {
      return lab.gpu.state() == WorkerState::Ready && !lab.gpu.data().series().empty();
    })) << lab.gpu.sentence();
    const BenchSetting setting;
    const BenchSeries* chosen = lab.gpu.data().find(setting.key("float4-loads", kN, 16));
    ASSERT_NE(chosen, nullptr) << size.x;
    EXPECT_EQ(chosen->result->grid, 16U);
    EXPECT_EQ(lab.gpu.data().find(setting.key("float4-loads", kN)), nullptr);
    EXPECT_NE(lab.gpu.data().find(setting.key("baseline", kN)), nullptr) << "it keeps its grid";
    for (int number = 0; number < 3; ++number) {
      headless.click(lab.window, page(headless, area, number));
      headless.settle(lab.window);
      EXPECT_EQ(problemText(), "") << "page " << number << ", " << size.x;
    }
  }
}

}  // namespace
}  // namespace lanescope
