#include "app/cli/progress.h"
#include "sim/base/counted.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace lanescope::cli {
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

}  // namespace lanescope::cli
