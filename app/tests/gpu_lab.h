#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "app/tests/test_window.h"

/// A window whose GPU panel has a worker without a GPU, or a recording only.
namespace lanescope {

inline const std::filesystem::path kShipped =
    std::filesystem::path(LANESCOPE_SOURCE_DIR) / "assets/recordings/nvidia-h200.jsonl";

inline GpuSessionOptions fake(const std::string& mode) {
  GpuSessionOptions options;
  options.worker.command = std::string("'") + LANESCOPE_FAKE_WORKER + "' " + mode;
  options.recording = kShipped;
  options.replaySeconds = 0;
  return options;
}

inline GpuSessionOptions recordingOnly() {
  GpuSessionOptions options = fake("");
  options.worker.command = "/nonexistent/lanescope-gpu";
  return options;
}

struct Lab : TestWindow {
  explicit Lab(GpuSessionOptions options) : TestWindow(std::move(options)) {
    window.state().settings.gpuIsOpen = true;
  }
  /// One that shows that, as show(). Throws where that fails: the test then ends.
  Lab(GpuSessionOptions options, std::string_view strategy) : Lab(std::move(options)) {
    if (!show(strategy))
      throw std::runtime_error(std::string(strategy) + " has no trace, or the worker no end");
  }

  template <class Done>
  bool waitFor(Done done) {
    for (int i = 0; i < 4000; ++i) {
      gpu.update(100 + 0.005 * i);
      session.executor()->step();
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
inline ImVec2 in(const Headless& headless, const Area& area, float x, float y) {
  return {area.x + x * headless.unit(), area.y + y * headless.unit()};
}

/// The open panel in its column, and over the other panels.
inline Area openGpu(const Headless& headless) { return findArea(headless, "gpu", {.gpuIsOpen = true}); }
inline Area largeGpu(const Headless& headless) { return findArea(headless, "gpu", {.maximised = "gpu"}); }

inline ImVec2 page(const Headless& headless, const Area& area, int number) {
  constexpr std::array<float, 5> kMiddles{50, 115, 177, 230, 278};
  return in(headless, area, kMiddles[static_cast<std::size_t>(number)], 46);
}

}  // namespace lanescope
