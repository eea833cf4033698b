#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "app/base/child_process.h"
#include "app/base/host.h"
#include "kernels/protocol/protocol.h"

namespace lanescope {

enum class WorkerState {
  NotStarted,  ///< no worker yet
  Starting,    ///< waiting for its hello
  Ready,       ///< idle
  Running,     ///< timing
  Failed,      ///< see the sentence; start() or a request tries again
};

struct WorkerOptions {
  HostPtr host = std::make_shared<DesktopHost>();
  std::string command{};  ///< for `/bin/sh -c`; empty: the lanescope-gpu beside this program or on the PATH
  std::chrono::milliseconds helloTimeout{30000};    ///< ssh and srun take their time
  std::chrono::milliseconds silenceTimeout{20000};  ///< without a message in the middle of a run
  std::chrono::milliseconds stopPatience{500};      ///< before SIGTERM, and again before SIGKILL
  std::function<void()> wake{};  ///< called on the process's thread if there is news; once until look()
};

/// A requested run of series.
struct AskedRun : BenchRequest {
  /// Set only for experiments: the series of each kernel's results, by name.
  std::map<std::string, SeriesKey> kernels{};
};

/// A message of the worker.
struct WorkerHeard {
  WorkerMessage message;
  bool isOfText = false;  ///< of the last run of a kernel's text
};

/// The end of a worker.
struct WorkerDeath {
  std::uint64_t text = 0;  ///< the run of a kernel's text that ended it or ends with it; 0: none
  std::string sentence;
};

using WorkerNews = std::variant<WorkerHeard, WorkerDeath>;

/// The worker's process and the thread that communicates with it: starts it, sends requests, reads its
/// messages, and says in one sentence how each worker ended. Its methods may be called from any thread and
/// none waits for the worker.
class WorkerProcess {
 public:
  explicit WorkerProcess(WorkerOptions options);
  /// Stops the worker: within about a second, even if it refuses.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Starts the worker unless it runs already.
  void start();
  /// Requests a run of series, starting the worker if needed. Returns its number; that in `request` is
  /// ignored.
  std::uint64_t request(WorkerRequest request, AskedRun asked);
  /// Requests a run of a kernel's text in the same way. The error says that one is being run already.
  Result<std::uint64_t> requestText(WorkerRequest request);
  /// Cancels every run requested so far; the worker stays.
  void cancel();

  /// The state at one moment, with the news since the last look.
  struct Look {
    WorkerState state = WorkerState::NotStarted;
    std::string sentence;
    std::optional<BenchRequest> timed;  ///< the current run of series
    bool isTextRunning = false;
    std::uint64_t revision = 0;
    std::vector<WorkerNews> news;
  };
  /// Nullopt if the revision is still the one of the last look, `seen`.
  std::optional<Look> look(std::uint64_t seen);
  /// Waits until the revision is another one; false if the time is up before.
  bool waitForChange(std::uint64_t revision, std::chrono::steady_clock::time_point deadline);

 private:
  using Clock = std::chrono::steady_clock;

  /// One worker from its start to its end; only for the thread.
  struct Life {
    std::string name;  ///< the command, for sentences
    LineReader lines;
    LineReader errorLines{4096};
    std::string lastErrorLine;   ///< of its standard error
    std::string lastRunProblem;  ///< the last error message, if no success has come since
    std::string outgoing;        ///< bytes not yet sent to it
    Clock::time_point deadline;
    int garbageLines = 0;
    std::size_t unanswered = 0;    ///< bytes heard since the last thing that was asked for
    std::set<SeriesKey> answered;  ///< of the current runs
    bool greeted = false;
    bool busy = false;        ///< runs are in progress: silence counts
    bool textFailed = false;  ///< the last thing it did was a kernel's text that went wrong
    bool isHeldBack = false;  ///< nothing is read until somebody takes the news
    bool over = false;
    bool askToQuit = false;
  };
  /// The last run of a kernel's text.
  struct Text {
    std::uint64_t run = 0;
    bool finished = true;
    bool failed = false;
  };

  void work();
  void live();
  void talk(ChildProcess& process);
  bool pollOutgoing();
  int pollTimeout() const;
  void readMessages(ChildProcess& process);
  void readErrors(ChildProcess& process);
  void writeRequests(ChildProcess& process);
  void splitLine(std::string_view line, bool overlong);
  void handleMessage(WorkerMessage message, std::size_t bytes);
  bool leavesBlocksOut(const WorkerMessage& message);
  bool awaitsExperiment();
  void hear(std::size_t bytes);
  void noteAnswer(const WorkerMessage& message);
  void handleGarbage(const std::string& what);
  void checkDeadline();
  void describeDeath(ChildProcess& process);
  void fail(const std::string& sentence);
  void publish();
  void poke() const;

  // Under the mutex.
  std::uint64_t send(WorkerRequest request);
  void wantStart();
  bool isTextRunning() const { return !text_.finished; }
  /// True if the worker has an unanswered request.
  bool isBusy() const { return !runs_.empty() || isTextRunning(); }

  WorkerOptions options_;
  Descriptor wakeUp_;
  Life life_;

  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  WorkerState state_ = WorkerState::NotStarted;
  std::string sentence_;
  std::map<std::uint64_t, AskedRun> runs_;  ///< requested and not done
  Text text_;
  std::deque<std::string> unsent_;  ///< lines for the worker, held back until its hello
  std::vector<WorkerNews> news_;
  std::size_t newsBytes_ = 0;  ///< of their lines
  std::uint64_t revision_ = 0;
  std::uint64_t nextRun_ = 1;
  bool startWanted_ = false;
  bool quit_ = false;
  bool wakePending_ = false;

  std::jthread thread_;  ///< last: it uses the rest
};

}  // namespace lanescope
