#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/paint/imgui_compat.h"
#include "app/session/gpu/gpu_session.h"
#include "app/tests/headless.h"

namespace lanescope {

inline const ImVec2 kProjector{1280, 720};
inline const ImVec2 kDesk{1920, 1080};

/// No GPU to be had, and that recording shown at once.
GpuSessionOptions noWorker(const std::filesystem::path& recording = "/nonexistent/recording.jsonl");

/// textProblems(), a line each.
std::string problemText();

/// Expects that every place that is there has something drawn in it, and that no text is cut off.
void expectDrawn(const Headless& headless, std::string_view what);

/// Every strategy's id, for sweeps; and those of a few that look unlike each other.
std::vector<std::string> allIds();
std::vector<std::string> someIds();

/// The first window whose name holds that, null where there is none.
const ImGuiWindow* windowNamed(std::string_view part);

/// A session, a GPU session and the window over both.
struct TestWindow {
  explicit TestWindow(GpuSessionOptions options = noWorker()) : gpu(std::move(options)) {}

  Session session;
  GpuSession gpu;
  MainWindow window{session, gpu, themes().front()};

  /// Polls until nothing is simulated, checked or tried any more; false after half a minute.
  bool settle();
  /// Selects it, on the machine that is shown for n unless one is named, and waits for its trace.
  bool show(std::string_view strategy, std::uint64_t n, std::string_view machine = {});
};

}  // namespace lanescope
