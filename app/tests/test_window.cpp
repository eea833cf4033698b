#include "app/tests/test_window.h"

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

bool TestWindow::show(std::string_view strategy, std::uint64_t n, std::string_view machine) {
  const MachineModel* model = machine.empty() ? &defaultMachine(n) : findMachine(machine);
  session.select({findStrategy(strategy), n, model});
  return waitForTrace(session);
}

}  // namespace lanescope
