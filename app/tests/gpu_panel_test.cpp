// The GPU panel drawn without a GPU: it says so, or shows a recording.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "app/tests/test_window.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

/// A window without a GPU, or with a recording.
struct GpuBench : TestWindow {
  using TestWindow::TestWindow;

  /// Updates the GPU session until it says something or half a minute is over.
  void waitForGpu() {
    gpu.start();
    for (int i = 0; i < 6000 && gpu.state() != WorkerState::Failed; ++i) {
      gpu.update(i * 0.005);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    gpu.update(100);
  }
};

TEST(GpuPanel, WithoutAWorkerItSaysSo) {
  GpuBench bench("baseline", 64);
  bench.waitForGpu();
  EXPECT_NE(bench.gpu.sentence(), "");
  EXPECT_EQ(bench.gpu.source(), GpuSource::None);
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size, bench.window);
    expectDrawn(headless, bench, "no worker");
  }
}

/// A recording of one run, written as a worker speaks.
std::filesystem::path writeRecording() {
  HelloMessage hello;
  hello.worker = "test";
  hello.gpu = "NVIDIA H200";
  hello.computeCapability = "9.0";
  hello.cudaDriver = "13.0";
  hello.cudaRuntime = "13.0";
  hello.sms = 132;
  hello.l2Bytes = 60U << 20U;
  hello.memoryBytes = std::uint64_t{140} << 30U;
  hello.date = "2026-11-20";
  std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "view_test_recording.jsonl";
  std::ofstream file(path);
  file << toLine(WorkerMessage(hello)) << '\n';
  CeilingMessage ceiling;
  ceiling.gbps = 4290;
  ceiling.us = 250;
  ceiling.bytes = std::uint64_t{1} << 30U;
  ceiling.samples = 20;
  ceiling.launchUs = 2;
  ceiling.how = "Read everything once.";
  file << toLine(WorkerMessage(ceiling)) << '\n';
  double gbps = 400;
  for (const std::uint64_t n : {std::uint64_t{1} << 20U, std::uint64_t{1} << 24U}) {
    for (const Strategy& strategy : strategies()) {
      ResultMessage result;
      result.run = 1;
      result.series = {std::string(strategy.id), n, 256, CacheState::Cold};
      result.grid = n / 256;
      result.sharedBytes = 1024;
      result.verified = true;
      result.expected = result.got = 1;
      result.bytes = 4 * n;
      result.gbps = gbps += 150;
      result.medianUs = static_cast<double>(result.bytes) / gbps / 1000;
      result.q1Us = result.medianUs * 0.98;
      result.q3Us = result.medianUs * 1.03;
      result.samples = 40;
      file << toLine(WorkerMessage(result)) << '\n';
    }
  }
  file << toLine(WorkerMessage(DoneMessage{1, false})) << '\n';
  return path;
}

TEST(GpuPanel, ARecordingIsPlottedWithItsSourceInSight) {
  GpuBench bench(noWorker(writeRecording()));
  ASSERT_TRUE(bench.show("baseline", 64));
  bench.waitForGpu();
  ASSERT_EQ(bench.gpu.source(), GpuSource::Recording) << bench.gpu.sentence();
  EXPECT_SAYS(bench.gpu.label());
  for (const ImVec2 size : {kProjector, kDesk}) {
    Headless headless(size);
    bench.window.state().settings.gpuIsOpen = true;
    const Area area = findArea(headless, "gpu", {.gpuIsOpen = true});
    headless.settle(bench.window);
    expectDrawn(headless, bench, "bars");
    const std::size_t bars = verticesIn(area);
    ASSERT_TRUE(headless.click(bench.window, "over N", area));
    headless.settle(bench.window);
    expectDrawn(headless, bench, "over N");
    EXPECT_NE(verticesIn(area), bars);
    ASSERT_TRUE(headless.click(bench.window, "bandwidth", area));
  }
}

TEST(GpuPanel, TheRecordingThatShipsIsPlotted) {
  const std::filesystem::path shipped =
      std::filesystem::path(LANESCOPE_SOURCE_DIR) / "assets/recordings/nvidia-h200.jsonl";
  GpuBench bench(noWorker(shipped));
  ASSERT_TRUE(bench.show("shuffle", 64));
  bench.waitForGpu();
  ASSERT_EQ(bench.gpu.source(), GpuSource::Recording) << bench.gpu.sentence();
  EXPECT_SAYS(bench.gpu.label());
  Headless headless(kProjector, bench.window);
  expectDrawn(headless, bench, "shipped recording");
}

}  // namespace
}  // namespace lanescope
