#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/analysis/bench_data.h"
#include "app/analysis/edited_run.h"

namespace lanescope {

enum class WorkerState {
  NotStarted,  ///< no worker yet
  Starting,    ///< waiting for its hello
  Ready,       ///< idle
  Running,     ///< timing
  Failed,      ///< see the sentence; start() or bench() tries again
};

struct WorkerOptions {
  std::string command{};  ///< for `/bin/sh -c`; empty: the lanescope-gpu beside this program or on the PATH
  std::chrono::milliseconds helloTimeout{30000};    ///< ssh and srun take their time
  std::chrono::milliseconds silenceTimeout{20000};  ///< without a message in the middle of a run
  std::chrono::milliseconds stopPatience{500};      ///< before SIGTERM, and again before SIGKILL
  std::function<void()> wake{};  ///< called on the client's thread when view() has news; once until view()
};

/// A picture of the client at one moment.
struct WorkerView {
  WorkerState state = WorkerState::NotStarted;
  std::string sentence;  ///< the current activity or error in words
  BenchData data;        ///< all runs so far; outlives a failed worker
  EditedRun edited;      ///< the last kernel text run or counted: finished() says so
  std::uint64_t revision = 0;
};

/// The worker's client: starts it, communicates with it on a separate thread, and never lets it harm the app.
/// If a worker does not start, hangs, dies, or sends invalid or endless output, the state is
/// WorkerState::Failed with one sentence; its process group is gone and the next run starts a new worker.
/// Every method may be called from any thread and none waits for the worker.
class WorkerClient {
 public:
  explicit WorkerClient(WorkerOptions options);
  /// Stops the worker: within about a second, even if it refuses.
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  /// Starts the worker unless it runs already.
  void start();

  /// Requests a run, starting the worker if needed, and returns its number; the request's own is ignored.
  /// Errors at once, in one sentence, on a request that no worker could take.
  Result<std::uint64_t> bench(BenchRequest request);

  /// Asks for the times of an experiment's kernels, otherwise as bench(). Their series are called
  /// Variant::series. A worker too old to know experiments ends in WorkerState::Failed.
  Result<std::uint64_t> experiment(ExperimentRequest request);

  /// Compiles a kernel's text on the worker's machine and runs it there, starting the worker if needed; the
  /// result is in WorkerView::edited. If a kernel or a text ends the worker, the client reports it in
  /// EditedRun::problem and starts a new worker at once. Errors at once, in one sentence: a text over
  /// kMaxKernelTextBytes, no kernel's name, an edited run that is not finished.
  Result<std::uint64_t> compileRun(CompileRunRequest request);

  /// Reads the hardware counters of one launch of a text, if the worker's machine has Nsight Compute;
  /// otherwise as compileRun.
  Result<std::uint64_t> readCounters(CountersRequest request);

  /// Profiles one launch of a text line by line, as readCounters.
  Result<std::uint64_t> profile(ProfileRequest request);

  /// Cancels every run requested so far; the worker stays.
  void cancel();

  /// The latest picture; cheap if nothing has changed.
  std::shared_ptr<const WorkerView> view();

  /// Waits until `done` holds for the view or the time is up; returns whether it holds. For programs
  /// without a frame to draw.
  bool waitUntil(const std::function<bool(const WorkerView&)>& done, std::chrono::milliseconds patience);

 private:
  template <class Request>
  Result<std::uint64_t> runText(Request request);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lanescope
