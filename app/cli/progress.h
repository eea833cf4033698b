#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "sim/machine/run/launch.h"

namespace lanescope::cli {

/// Shows on stderr how far a long run has come, so that it never looks like a hang. Prints nothing in the
/// first seconds; then, on a terminal, one line that is overwritten and wiped at the end, otherwise a line
/// now and then.
class Progress {
 public:
  /// Begins to watch the launch, which must outlive the run and reports its progress from now on.
  explicit Progress(Launch& launch);
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Ends the output.
  void end();

 private:
  void watch(const std::stop_token& stop);

  std::shared_ptr<std::atomic<std::uint64_t>> begun_ = std::make_shared<std::atomic<std::uint64_t>>(0);
  std::uint64_t blocks_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread writer_;
};

}  // namespace lanescope::cli
