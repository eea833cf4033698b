#include "app/cli/await_runs.h"

#include <fmt/format.h>

#include <csignal>

#include "app/cli/status_line.h"

namespace lanescope::cli {
namespace {

constexpr std::chrono::milliseconds kGlance{100};

volatile std::sig_atomic_t interrupted = 0;

/// The worker's current activity, with a bar if a run is in progress.
std::string describeStatus(const WorkerView& view, std::size_t runs) {
  const auto& progress = view.data.progress();
  if (!progress) return view.sentence;
  return fmt::format("run {} of {} {} {} samples", progress->run, runs,
                     barText(progress->done, progress->total), progress->done);
}

}  // namespace

std::shared_ptr<const WorkerView> awaitRuns(WorkerClient& client, std::size_t runs) {
  std::signal(SIGINT, [](int) { interrupted = 1; });
  StatusLine line;
  const auto isOver = [](const WorkerView& view) {
    return view.state == WorkerState::Ready || view.state == WorkerState::Failed;
  };
  bool cancelled = false;
  while (!client.waitUntil(isOver, kGlance)) {
    if (line.isShown()) line.show(describeStatus(*client.view(), runs));
    if (interrupted != 0 && !cancelled) {
      client.cancel();
      cancelled = true;
    }
  }
  return client.view();
}

bool wasInterrupted() { return interrupted != 0; }

}  // namespace lanescope::cli
