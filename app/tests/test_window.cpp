#include "app/tests/test_window.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace lanescope {

GpuSessionOptions noWorker(const std::filesystem::path& recording) {
  GpuSessionOptions options;
  options.worker.command = "/nonexistent/lanescope-gpu";
  options.recording = recording;
  options.replaySeconds = 0;
  return options;
}

std::string problemText() {
  std::string text;
  for (const std::string& problem : textProblems()) text += problem + "\n";
  return text;
}

void expectDrawn(const Headless& headless, std::string_view what) {
  for (std::size_t place = 0; place < kPlaces; ++place) {
    const Area area = areaOf(headless, static_cast<Place>(place));
    if (area.h <= 0) continue;  // not in this mode
    EXPECT_GT(verticesIn(area), 40U) << what << ", place " << place;
  }
  EXPECT_EQ(problemText(), "") << what;
}

bool TestWindow::settle() {
  for (int i = 0; i < 6000; ++i) {
    const bool wasBusy = session.busy();
    if (!session.poll() && !wasBusy && !session.busy()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

bool TestWindow::show(std::string_view strategy, std::uint64_t n, std::string_view machine) {
  const MachineModel* model = machine.empty() ? &defaultMachine(n) : findMachine(machine);
  session.select({findStrategy(strategy), n, model});
  return waitForTrace(session);
}

std::vector<std::string> allIds() {
  std::vector<std::string> all;
  for (const Strategy& strategy : strategies()) all.emplace_back(strategy.id);
  return all;
}

std::vector<std::string> someIds() {
  return {"baseline", "shuffle", "last-block-done", "transpose-padded", "julia-set"};
}

const ImGuiWindow* windowNamed(std::string_view part) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (std::string_view(window->Name).find(part) != std::string_view::npos) return window;
  }
  return nullptr;
}

}  // namespace lanescope
