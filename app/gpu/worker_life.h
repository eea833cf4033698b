#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "app/base/child_process.h"
#include "app/gpu/worker_client.h"
#include "kernels/protocol/protocol.h"

namespace lanescope {

/// A requested run of series.
struct AskedRun : BenchRequest {
  /// Set only for experiments: the series of each kernel's results, by name.
  std::map<std::string, SeriesKey> kernels{};
};

/// Data shared by the client's thread and its callers, under `mutex`.
struct WorkerShared {
  std::mutex mutex;
  std::condition_variable changed;
  WorkerState state = WorkerState::NotStarted;
  std::string sentence;
  BenchData data;
  std::map<std::uint64_t, AskedRun> runs;  ///< requested and not done
  EditedRun edited;                        ///< the last of a kernel's text
  std::deque<std::string> outgoing;        ///< lines for the worker, held back until its hello
  std::uint64_t revision = 0;
  bool startWanted = false;
  bool quit = false;
  bool wakePending = false;

  bool editing() const { return edited.run() != 0 && !edited.finished(); }
  /// True if the worker has an unanswered request.
  bool busy() const { return !runs.empty() || editing(); }
};

/// One worker from its start to its end, on the client's thread.
class WorkerLife {
 public:
  /// `wakeUp`: a descriptor that is readable when a caller has changed `shared`.
  WorkerLife(WorkerShared& shared, const WorkerOptions& options, int wakeUp)
      : shared_(shared), options_(options), wakeUp_(wakeUp) {}

  /// Returns once the worker is gone and `shared` says why.
  void live();

 private:
  using Clock = std::chrono::steady_clock;

  void talk(ChildProcess& process);
  bool pollOutgoing();
  int pollTimeout() const;
  void readMessages(ChildProcess& process);
  void readErrors(ChildProcess& process);
  void writeRequests(ChildProcess& process);
  void splitLine(std::string_view line, bool overlong);
  void handleMessage(const WorkerMessage& message);
  bool leavesBlocksOut(const WorkerMessage& message);
  bool awaitsExperiment();
  void handleGarbage(const std::string& what);
  void checkDeadline();
  void describeDeath(ChildProcess& process);
  void fail(const std::string& sentence);
  bool wasLostToText() const;
  void publish();

  WorkerShared& shared_;
  const WorkerOptions& options_;
  int wakeUp_;
  std::string name_;  ///< the command, for sentences
  LineReader lines_;
  LineReader errorLines_{4096};
  std::string lastErrorLine_;   ///< of its standard error
  std::string lastRunProblem_;  ///< the last error message, if no success has come since
  std::string outgoing_;        ///< bytes not yet sent to it
  Clock::time_point deadline_{};
  int garbageLines_ = 0;
  bool greeted_ = false;
  bool busy_ = false;        ///< runs are in progress: silence counts
  bool textFailed_ = false;  ///< the last thing it did was a kernel's text that went wrong
  bool over_ = false;
  bool askToQuit_ = false;
};

}  // namespace lanescope
