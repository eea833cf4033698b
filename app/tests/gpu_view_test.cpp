// The GPU panel as a laboratory: the text at hand on a worker without a GPU, counters, runs compared, charts
// from nearer, and the panel made large.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "app/tests/test_window.h"
#include "app/views/gpu_charts.h"
#include "app/views/gpu_text_view.h"

namespace lanescope {
namespace {

const std::filesystem::path kShipped =
    std::filesystem::path(LANESCOPE_SOURCE_DIR) / "assets/recordings/nvidia-h200.jsonl";

GpuSessionOptions fake(const std::string& mode) {
  GpuSessionOptions options;
  options.worker.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' " + mode;
  options.recording = kShipped;
  options.replaySeconds = 0;
  return options;
}

GpuSessionOptions recordingOnly() {
  GpuSessionOptions options = fake("");
  options.worker.command = "/nonexistent/lanescope-gpu";
  return options;
}

struct Lab : TestWindow {
  using TestWindow::TestWindow;

  template <class Done>
  bool waitFor(Done done) {
    for (int i = 0; i < 4000; ++i) {
      gpu.update(100 + 0.005 * i);
      session.poll();
      if (done()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  bool show(std::string_view strategy) {
    gpu.start();
    return TestWindow::show(strategy, 64) &&
           waitFor([&] { return gpu.state() == WorkerState::Ready || gpu.state() == WorkerState::Failed; });
  }
  bool finishText() {
    return waitFor([&] { return !gpu.text().busy(); });
  }
};

/// A place in a panel, in units from its left top corner.
ImVec2 in(const Headless& headless, const Area& area, float x, float y) {
  return {area.x + x * headless.unit(), area.y + y * headless.unit()};
}

Area largeGpu(const Headless& headless) {
  return layoutPlaces(headless.size(), headless.unit(),
                      {.gpuIsLarge = true})[static_cast<std::size_t>(Place::Gpu)];
}

ImVec2 page(const Headless& headless, const Area& area, int number) {
  constexpr std::array<float, 4> kMiddles{50, 115, 177, 232};
  return in(headless, area, kMiddles[static_cast<std::size_t>(number)], 46);
}

TEST(GpuLab, RunsAndCountsTheTextFromItsPage) {
  for (const ImVec2 size : {kProjector, kDesk}) {
    Lab lab(fake("echo"));
    ASSERT_TRUE(lab.show("no-divergence"));
    Headless headless(size);
    const Area area = areaOf(headless, Place::Gpu);
    headless.click(lab.window, page(headless, area, 3));
    EXPECT_EQ(problemText(), "");
    headless.click(lab.window, in(headless, area, 55, 78));  // Run on GPU
    ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << size.x << lab.gpu.textBlocker();
    headless.settle(lab.window);
    EXPECT_EQ(problemText(), "") << "while it runs";
    ASSERT_TRUE(lab.finishText());
    EXPECT_TRUE(lab.gpu.text().outcome().comparison->equal);
    EXPECT_TRUE(lab.gpu.text().outcome().timing);
    headless.click(lab.window, in(headless, area, 140, 80));  // Counters
    ASSERT_TRUE(lab.gpu.text().outcome().wasCounted);
    ASSERT_TRUE(lab.finishText());
    ASSERT_EQ(lab.gpu.text().outcome().counters.size(), 12U);
    for (const Theme& theme : themes()) {
      lab.window.state().theme = &theme;
      for (const bool isLarge : {false, true}) {
        lab.window.state().gpuPanel.isLarge = isLarge;
        headless.settle(lab.window);
        EXPECT_EQ(problemText(), "") << theme.id << (isLarge ? " large" : "");
      }
    }
  }
}

TEST(GpuLab, RunsTheTextFromTheSourcePanelAndShowsWhatCame) {
  for (const char* mode : {"echo", "text-differs", "text-error", "text-crashes", "no-compiler"}) {
    Lab lab(fake(mode));
    ASSERT_TRUE(lab.show("no-divergence"));
    Headless headless(kProjector);
    headless.settle(lab.window);
    const Area source = areaOf(headless, Place::Source);
    const float x = source.x + 0.69F * source.w;
    for (float y = source.y + source.h - 30; y > source.y + 60 && !lab.gpu.text().outcome().wasRun; y -= 6)
      headless.click(lab.window, ImVec2(x, y));
    ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << mode;
    ASSERT_TRUE(lab.finishText());
    headless.settle(lab.window);
    EXPECT_TRUE(lab.window.state().sourceIsTall) << "the report tells of it";
    EXPECT_EQ(problemText(), "") << mode;
  }
}

TEST(GpuLab, RunsAnOpenedFileWithItsOwnLaunch) {
  const std::string path = testing::TempDir() + "lanescope_twice.cu";
  std::ofstream(path) << "__global__ void twice(const float* in, float* out) {\n"
                         "  out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n";
  Lab lab(fake("echo"));
  ASSERT_TRUE(lab.show("no-divergence"));
  lab.session.openFile(path);
  ASSERT_TRUE(lab.waitFor([&] { return lab.session.shown().document == 1; })) << lab.session.error();
  Headless headless(kProjector);
  const Area area = areaOf(headless, Place::Gpu);
  headless.click(lab.window, page(headless, area, 3));
  headless.click(lab.window, in(headless, area, 55, 78));
  ASSERT_TRUE(lab.gpu.text().outcome().wasRun) << lab.window.state().gpuPanel.refusal;
  ASSERT_TRUE(lab.finishText());
  const TextOutcome& outcome = lab.gpu.text().outcome();
  EXPECT_TRUE(outcome.comparison->equal);
  EXPECT_EQ(outcome.title, "lanescope_twice.cu");
  ASSERT_TRUE(outcome.timing);
  EXPECT_EQ(outcome.timing->n, 64U);
  headless.settle(lab.window);
  EXPECT_EQ(problemText(), "");
}

TEST(GpuLab, WithARecordingOnlyNothingCanBeRun) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("no-divergence"));
  EXPECT_NE(lab.gpu.textBlocker().find("recording"), std::string::npos) << lab.gpu.textBlocker();
  Headless headless(kProjector);
  const Area area = areaOf(headless, Place::Gpu);
  headless.click(lab.window, page(headless, area, 3));
  headless.click(lab.window, in(headless, area, 55, 80));
  EXPECT_FALSE(lab.gpu.text().outcome().wasRun);
  EXPECT_EQ(lab.window.state().gpuPanel.refusal, "");
  EXPECT_EQ(problemText(), "");
}

TEST(GpuLab, ItsCornersMakeItLargeAndEscapeEndsThat) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("shuffle"));
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    const Area small = areaOf(headless, Place::Gpu);
    headless.click(lab.window, in(headless, small, small.w / headless.unit() - 142, 20));
    ASSERT_TRUE(lab.window.state().gpuPanel.isLarge) << size.x;
    const Area large = largeGpu(headless);
    EXPECT_GT(large.w * large.h, 5 * small.w * small.h);
    for (int number = 0; number < 4; ++number) {
      headless.click(lab.window, page(headless, large, number));
      EXPECT_GT(verticesIn(large), 200U) << "page " << number;
      EXPECT_EQ(problemText(), "") << "page " << number << " width " << size.x;
    }
    headless.click(lab.window, page(headless, large, 0));
    lab.window.press(Key::Escape);
    EXPECT_FALSE(lab.window.state().gpuPanel.isLarge);
  }
}

TEST(GpuLab, TheWheelZoomsTheChartOverNAndADoubleClickEndsThat) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("shuffle"));
  Headless headless(kProjector);
  const Area area = areaOf(headless, Place::Gpu);
  headless.click(lab.window, page(headless, area, 2));
  const ImVec2 away(-1, -1);
  const ImVec2 middle(area.x + area.w * 0.4F, area.y + area.h * 0.5F);
  headless.settle(lab.window, away);
  const std::size_t whole = verticesIn(area);
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

/// A recording of another GPU that is half as fast.
std::string otherGpu() {
  std::ifstream shipped(kShipped);
  std::string path = testing::TempDir() + "lanescope_other_gpu.jsonl";
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

TEST(GpuLab, SeveralGpusStandSideBySide) {
  Lab lab(recordingOnly());
  ASSERT_TRUE(lab.show("shuffle"));
  const std::string other = otherGpu();
  for (int i = 0; i < 2; ++i) ASSERT_FALSE(lab.gpu.pin(other));
  const BenchNumbers numbers{lab.gpu.data(), lab.gpu.title(), lab.gpu.pins()};
  BenchChoice choice;
  choice.highlighted = findStrategy("shuffle");
  const BarChart bars = gpuBars(numbers, choice, false);
  ASSERT_EQ(bars.legend.size(), 3U);
  EXPECT_EQ(bars.legend[0].find("NVIDIA H200, "), 0U) << bars.legend[0];
  EXPECT_EQ(bars.legend[1].find("pin 1: NVIDIA A100-SXM4-80GB, "), 0U) << bars.legend[1];
  for (const BarEntry& bar : bars.bars) {
    if (bar.wrong) continue;
    ASSERT_EQ(bar.pinned.size(), 2U) << bar.label;
    EXPECT_NEAR(bar.pinned[0].value, bar.value / 2, bar.value * 1e-3);
    EXPECT_NE(bar.pinned[0].text.find("2.00 times as fast"), std::string::npos) << bar.pinned[0].text;
  }
  const LineChart lines = gpuLines(numbers, choice);
  EXPECT_EQ(lines.legend, bars.legend);
  EXPECT_EQ(std::ranges::count(lines.series, 1U, &LineSeries::run), 1) << "the chosen strategy's";
  EXPECT_EQ(lines.horizontals.size(), 3U) << "each GPU has its ceiling";
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    for (const bool isLarge : {false, true}) {
      lab.window.state().gpuPanel.isLarge = isLarge;
      const Area area = isLarge ? largeGpu(headless) : areaOf(headless, Place::Gpu);
      for (int number = 0; number < 3; ++number) {
        headless.settle(lab.window);
        headless.click(lab.window, page(headless, area, number));
        headless.settle(lab.window);
        EXPECT_EQ(problemText(), "") << "page " << number << " width " << size.x << isLarge;
      }
    }
  }
}

TEST(GpuLab, ATextHasItsBarOnlyWhereItWasTimed) {
  BenchChoice choice;
  TextOutcome text;
  text.title = "shuffle.cu, edited";
  text.timing = TextTiming{"H200", choice.n, 256, ElementType::Float, 20, 19, 21, 3350, 20, false};
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

TEST(GpuLab, EveryCounterHasAPlainName) {
  for (const NamedCounter& counter : nsightCounters({}))
    EXPECT_NE(counterTitle(counter.name), counter.name) << counter.name;
}

}  // namespace
}  // namespace lanescope
