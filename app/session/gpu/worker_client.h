#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/session/gpu/bench_data.h"
#include "app/session/gpu/edited_run.h"

namespace lanescope {

enum class WorkerState {
  NotStarted,  ///< no worker yet
  Starting,    ///< waiting for its hello
  Ready,       ///< nothing to do
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
  std::string sentence;  ///< what is going on or wrong, for a person
  BenchData data;        ///< all runs so far; outlives a failed worker
  EditedRun edited;      ///< the last kernel text run or counted: finished() says so
  std::uint64_t revision = 0;
};

/// The worker's client: starts it, talks to it on a thread of its own, and never lets it harm the app.
/// A worker that does not start, hangs, dies, talks nonsense or never stops talking ends in
/// WorkerState::Failed with one sentence; its process group is gone and the next run starts afresh.
/// Every method may be called from any thread and none waits for the worker.
class WorkerClient {
 public:
  explicit WorkerClient(WorkerOptions options);
  /// Stops the worker: within about a second, were it to refuse.
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  /// Starts the worker unless it runs already.
  void start();

  /// Asks for a run, starting the worker where needed, and returns its number; the request's own is
  /// ignored. Errors at once, in one sentence, on a request that no worker could take.
  Result<std::uint64_t> bench(BenchRequest request);

  /// Asks for the times of an experiment's kernels, otherwise as bench(). Their series are called
  /// Variant::series. A worker too old to know experiments ends in WorkerState::Failed.
  Result<std::uint64_t> experiment(ExperimentRequest request);

  /// Compiles a kernel's text on the worker's machine and runs it there, starting the worker where needed;
  /// what comes of it is in WorkerView::edited. A kernel or a text that takes the worker down costs no
  /// more than that: the client says what happened in EditedRun::problem and starts a new worker at once.
  /// Errors at once, in one sentence: a text over kMaxKernelTextBytes, no kernel's name, an edited run
  /// that is still under way.
  Result<std::uint64_t> compileRun(CompileRunRequest request);

  /// Reads the hardware counters of one launch of a text, where the worker's machine has Nsight Compute;
  /// otherwise as compileRun.
  Result<std::uint64_t> readCounters(CountersRequest request);

  /// Profiles one launch of a text line by line, as readCounters.
  Result<std::uint64_t> profile(ProfileRequest request);

  /// Cancels every run asked for so far; the worker stays.
  void cancel();

  /// The latest picture; cheap where nothing has changed.
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
