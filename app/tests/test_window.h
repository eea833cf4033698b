#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gpu/gpu_session.h"
#include "app/paint/imgui_compat.h"
#include "app/tests/headless.h"
#include "app/workbench/tests/memory_host.h"

namespace lanescope {

inline const ImVec2 kProjector{1280, 720};
inline const ImVec2 kDesk{1920, 1080};

/// No GPU to be had, and that recording shown at once.
GpuSessionOptions noWorker(const std::filesystem::path& recording = "/nonexistent/recording.jsonl");

/// textProblems(), a line each.
std::string problemText();
/// True if that can be read in the last frame.
bool draws(const Headless& headless, std::string_view text);

/// Every strategy's id, for sweeps; and those of a few that look unlike each other.
std::vector<std::string> allIds();
std::vector<std::string> someIds();

/// The first window whose name holds that, null where there is none.
const ImGuiWindow* windowNamed(std::string_view part);

/// The rectangle of the window whose name holds that; empty where it was not drawn in the last frame.
Area areaOfWindow(std::string_view part);
/// The rectangle in which a view was drawn in the last frame; empty where it was not.
Area findPanel(std::string_view view);

/// The tip of the last frame, or null; its place, empty where there was none.
const ImGuiWindow* tipShown();
Area tipArea();

/// A session of files in memory, a GPU session and the window over both.
struct TestWindow {
  /// A session of other files than `files` has a host of its own.
  explicit TestWindow(GpuSessionOptions options = noWorker(), std::function<void()> wake = {},
                      HostPtr host = {})
      : session(std::make_shared<SteppedExecutor>(), work, host == nullptr ? files : std::move(host)),
        gpu(std::move(options)),
        window(session, gpu, themes().front(), std::make_shared<ThreadExecutor>(std::move(wake))) {}
  /// One that shows it, as show(). Throws where that fails: the test then ends.
  TestWindow(std::string_view strategy, std::uint64_t n, std::string_view machine = {});

  WorkCountPtr work = std::make_shared<WorkCount>();  ///< of the session
  std::shared_ptr<testing::MemoryHost> files = std::make_shared<testing::MemoryHost>();
  Session session;
  GpuSession gpu;
  MainWindow window;

  /// Polls until nothing is simulated, checked or tried any more; false after half a minute.
  bool settle();
  /// Selects it, on the machine that is shown for n unless one is named, and waits for its trace.
  bool show(std::string_view strategy, std::uint64_t n, std::string_view machine = {});
};

/// The middle of the first thing of that kind, from that index on, in one of the pictures `array`, `warps`
/// and `banks`; (-1, -1) where it has none.
ImVec2 hitIn(TestWindow& shown, const Headless& headless, std::string_view view, HitArea::Kind kind,
             std::uint32_t from = 0);
/// What the panels that explore a run must show at this moment, by view: pictures that are made anew, the
/// line of the source, counters and their values. Spaces are left out.
std::map<std::string, std::vector<std::string>> textsToShow(TestWindow& shown, const Headless& headless);
/// Expects all of that in the panels' own places, and that no text is cut off.
void expectDrawn(const Headless& headless, TestWindow& shown, std::string_view what);

}  // namespace lanescope
