#include "app/cli/progress.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "app/base/whole.h"
#include "sim/base/counted.h"

namespace lanescope::cli {
namespace {

constexpr std::size_t kBar = 30;  ///< letters

}  // namespace

std::string barText(std::size_t done, std::size_t total) {
  const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
  const auto full = std::min(kBar, toWhole<std::size_t>(share * kBar));
  return fmt::format("[{}{}]", std::string(full, '='), std::string(kBar - full, ' '));
}

StatusLine::StatusLine() : isShown_(::isatty(STDERR_FILENO) != 0) {}

void StatusLine::show(const std::string& text) {
  if (!isShown_ || text == last_) return;
  wipe();
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
  last_ = text;
}

void StatusLine::wipe() {
  if (!last_.empty()) {
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
  }
  last_.clear();
}

namespace {

using std::chrono::seconds;

constexpr seconds kPatience{2};       ///< before the first word on a terminal
constexpr seconds kBetweenLines{10};  ///< if lines are not overwritten
constexpr const char* kWipe = "\r\x1b[K";

}  // namespace

Progress::Progress(Launch& launch) : blocks_(launch.grid.count()) {
  launch.blocksBegun = begun_;
  writer_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void Progress::end() {
  writer_.request_stop();
  if (writer_.joinable()) writer_.join();
}

void Progress::watch(const std::stop_token& stop) {
  const bool isTerminal = ::isatty(STDERR_FILENO) != 0;
  bool hasWritten = false;
  std::unique_lock lock(mutex_);
  while (true) {
    const seconds pause = !isTerminal ? kBetweenLines : hasWritten ? seconds{1} : kPatience;
    wake_.wait_for(lock, stop, pause, [] { return false; });
    if (stop.stop_requested()) break;
    const std::uint64_t begun = begun_->load(std::memory_order_relaxed);
    const std::string line =
        fmt::format("simulating: {} of {} blocks ({}%); Ctrl+C ends it, --max-instructions bounds it.",
                    withCommas(begun), withCommas(blocks_), blocks_ == 0 ? 0 : begun * 100 / blocks_);
    fmt::print(stderr, "{}{}{}", isTerminal ? kWipe : "", line, isTerminal ? "" : "\n");
    std::fflush(stderr);
    hasWritten = true;
  }
  if (hasWritten && isTerminal) {
    fmt::print(stderr, "{}", kWipe);
    std::fflush(stderr);
  }
}

namespace {

constexpr std::chrono::milliseconds kGlance{100};

volatile std::sig_atomic_t interrupted = 0;

/// The worker's current activity, with a bar if a run is in progress.
std::string describeStatus(const WorkerView& view, std::size_t runs) {
  const auto& progress = view.data->progress();
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
