#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/gpu/worker_client.h"
#include "sim/machine/run/launch.h"

namespace lanescope::cli {

/// `[=====     ]`, as full as `done` is of `total`.
std::string barText(std::size_t done, std::size_t total);

/// One line on a terminal's stderr, which is overwritten, and wiped at the end. If stderr is not a terminal,
/// there is no output.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { wipe(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// True if there is a terminal to write to.
  bool isShown() const { return isShown_; }
  void show(const std::string& text);
  void wipe();

 private:
  bool isShown_;
  std::string last_;
};

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

/// Waits until the worker has finished its `runs` runs or has failed; returns its last view. Prints a line of
/// progress if stderr is a terminal. Control-C cancels the runs: see wasInterrupted().
std::shared_ptr<const WorkerView> awaitRuns(WorkerClient& client, std::size_t runs);

/// True if Control-C has cancelled the runs of awaitRuns().
bool wasInterrupted();

}  // namespace lanescope::cli
