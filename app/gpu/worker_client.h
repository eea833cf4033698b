#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "app/analysis/bench_data.h"
#include "app/analysis/text_run.h"
#include "app/gpu/worker_process.h"

namespace lanescope {

/// A picture of the client at one moment.
struct WorkerView {
  WorkerState state = WorkerState::NotStarted;
  std::string sentence;  ///< the current activity or error in words
  std::shared_ptr<const BenchData> data =
      std::make_shared<BenchData>();  ///< all runs; outlives a failed worker
  std::shared_ptr<const TextRun> edited = std::make_shared<TextRun>();  ///< the last of a kernel's text
  std::uint64_t revision = 0;
};

/// The knowledge of the worker: its messages, applied to the data as somebody looks, and requests in the form
/// that a worker takes. Never lets a worker harm the app.
/// If a worker does not start, hangs, dies, or sends invalid or endless output, the state is
/// WorkerState::Failed with one sentence; its process group is gone and the next run starts a new worker.
/// Every method may be called from any thread and none waits for the worker.
class WorkerClient {
 public:
  explicit WorkerClient(WorkerOptions options) : process_(std::move(options)) {}

  /// Starts the worker unless it runs already.
  void start() { process_.start(); }

  /// Requests a run, starting the worker if needed, and returns its number; the request's own is ignored.
  /// Errors at once, in one sentence, on a request that no worker could take.
  Result<std::uint64_t> bench(BenchRequest request);

  /// Asks for the times of an experiment's kernels, otherwise as bench(). Their series are called
  /// Variant::series. A worker too old to know experiments ends in WorkerState::Failed.
  Result<std::uint64_t> experiment(ExperimentRequest request);

  /// Compiles a kernel's text on the worker's machine and runs it there, starting the worker if needed; the
  /// result is in WorkerView::edited. If a kernel or a text ends the worker, the client reports it in
  /// TextRun::problem and starts a new worker at once. Errors at once, in one sentence: a text over
  /// kMaxKernelTextBytes, no kernel's name, an edited run that is not finished.
  Result<std::uint64_t> compileRun(CompileRunRequest request);

  /// Reads the hardware counters of one launch of a text, if the worker's machine has Nsight Compute;
  /// otherwise as compileRun.
  Result<std::uint64_t> readCounters(CountersRequest request);

  /// Profiles one launch of a text line by line, as readCounters.
  Result<std::uint64_t> profile(ProfileRequest request);

  /// Cancels every run requested so far; the worker stays.
  void cancel() { process_.cancel(); }

  /// The latest picture. The data is changed in place unless somebody still holds an earlier picture, which
  /// then keeps its own: a caller that wants no copy releases the last one first.
  std::shared_ptr<const WorkerView> view();

  /// Waits until `done` holds for the view or the time is up; returns whether it holds. For programs
  /// without a frame to draw.
  bool waitUntil(const std::function<bool(const WorkerView&)>& done, std::chrono::milliseconds patience);

 private:
  Result<std::uint64_t> runText(const TextLaunch& launch, WorkerRequest request);
  void apply(const WorkerNews& news);

  std::mutex mutex_;  ///< of all below but the process
  std::shared_ptr<BenchData> data_ = std::make_shared<BenchData>();
  std::shared_ptr<TextRun> text_ = std::make_shared<TextRun>();
  std::shared_ptr<const WorkerView> latest_ = std::make_shared<WorkerView>();
  WorkerProcess process_;
};

}  // namespace lanescope
