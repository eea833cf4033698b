#include "app/gpu/worker_process.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include "app/analysis/text_run.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

/// The command that starts `lanescope-gpu`: beside this program, else on the PATH, quoted for a shell. The
/// error says in one sentence that there is none.
Result<std::string> defaultWorkerCommand(const Host& host) {
  constexpr const char* kName = "lanescope-gpu";
  if (const auto found = host.findProgram(kName)) return quotedForShell(found->string());
  return Error{"The GPU worker 'lanescope-gpu' is neither beside this program nor on the PATH.",
               "./run builds it if there are a GPU and a CUDA Toolkit."};
}

using std::chrono::milliseconds;

constexpr int kMaxGarbageLines = 50;                        // a login banner has fewer
constexpr std::size_t kMaxDropped = std::size_t{4} << 20U;  // of a line that never ends
constexpr std::size_t kReadBytes = 64 * 1024;
constexpr std::size_t kMaxUnanswered = std::size_t{64} << 20U;  // between two answers, stderr included
constexpr std::size_t kMaxNewsBytes = std::size_t{32} << 20U;   // not yet taken

/// A write to a worker that has gone must fail, not end the app. Signals are for other threads.
void blockSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

/// Reads the available bytes. Returns their number, 0 at the end of the stream, -1 if there are none yet.
ssize_t readSome(const Descriptor& from, std::array<char, kReadBytes>& bytes) {
  if (!from.isOpen()) return 0;
  const ssize_t count = read(from.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return -1;
  return std::max<ssize_t>(count, 0);
}

/// The blocks that a run requests of a contender; 0 if it keeps its own grid.
std::uint64_t requestedBlocks(const BenchRequest& request, const std::string& id) {
  const Strategy* strategy = findStrategy(id);
  return strategy != nullptr && strategy->takesBlocks() ? request.blocks : 0;
}

/// True if the series belongs to a requested run: no other may take memory.
bool wasAskedFor(const std::map<std::uint64_t, AskedRun>& runs, std::uint64_t run, const SeriesKey& series) {
  const auto found = runs.find(run);
  if (found != runs.end() && !found->second.kernels.empty()) {
    const auto kernel = found->second.kernels.find(series.strategy);
    return kernel != found->second.kernels.end() && kernel->second == series;
  }
  return found != runs.end() && found->second.n == series.n && found->second.block == series.block &&
         found->second.scope == series.scope && found->second.type == series.type &&
         (series.strategy == kCubId || findStrategy(series.strategy) != nullptr) &&
         series.blocks == requestedBlocks(found->second, series.strategy);
}

/// The series that a message is about, or nullptr.
const SeriesKey* findSeries(const WorkerMessage& message) {
  if (const auto* sample = std::get_if<SampleMessage>(&message)) return &sample->series;
  if (const auto* result = std::get_if<ResultMessage>(&message)) return &result->series;
  return nullptr;
}

}  // namespace

WorkerProcess::WorkerProcess(WorkerOptions options)
    : options_(std::move(options)),
      wakeUp_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { work(); }) {}

WorkerProcess::~WorkerProcess() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    changed_.notify_all();
  }
  poke();
  thread_.join();
}

void WorkerProcess::poke() const { eventfd_write(wakeUp_.get(), 1); }

/// The thread: one worker's life after another.
void WorkerProcess::work() {
  blockSignals();
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return startWanted_ || quit_; });
      if (quit_) return;
      startWanted_ = false;
    }
    live();
  }
}

void WorkerProcess::wantStart() {
  if (state_ != WorkerState::NotStarted && state_ != WorkerState::Failed) return;
  state_ = WorkerState::Starting;
  sentence_ = "Starting the GPU worker ...";
  startWanted_ = true;
  ++revision_;
  changed_.notify_all();
}

void WorkerProcess::start() {
  const std::lock_guard lock(mutex_);
  wantStart();
}

std::uint64_t WorkerProcess::send(WorkerRequest request) {
  wantStart();
  const std::uint64_t run = nextRun_++;
  std::visit(
      [run](auto& one) {
        if constexpr (requires { one.run; }) one.run = run;
      },
      request);
  unsent_.push_back(toLine(request));
  ++revision_;
  return run;
}

std::uint64_t WorkerProcess::request(WorkerRequest request, AskedRun asked) {
  std::uint64_t run = 0;
  {
    const std::lock_guard lock(mutex_);
    run = asked.run = send(std::move(request));
    runs_.emplace(run, std::move(asked));
  }
  poke();
  return run;
}

Result<std::uint64_t> WorkerProcess::requestText(WorkerRequest request) {
  std::uint64_t run = 0;
  {
    const std::lock_guard lock(mutex_);
    if (isTextRunning()) return Error{"A kernel's text is being run already.", "Wait for it, or cancel it."};
    run = send(std::move(request));
    text_ = {run, false};
  }
  poke();
  return run;
}

void WorkerProcess::cancel() {
  {
    const std::lock_guard lock(mutex_);
    if (!isBusy()) return;
    unsent_.push_back(toLine(CancelRequest{}));
  }
  poke();
}

std::optional<WorkerProcess::Look> WorkerProcess::look(std::uint64_t seen) {
  Look look;
  bool wasFull = false;
  {
    const std::lock_guard lock(mutex_);
    wakePending_ = false;
    if (revision_ == seen) return std::nullopt;
    look = {state_, sentence_, std::nullopt, isTextRunning(), revision_, std::exchange(news_, {})};
    if (!runs_.empty()) look.timed = runs_.begin()->second;
    wasFull = std::exchange(newsBytes_, 0) >= kMaxNewsBytes;
  }
  if (wasFull) poke();
  return look;
}

bool WorkerProcess::waitForChange(std::uint64_t revision, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [&] { return revision_ != revision; });
}

void WorkerProcess::live() {
  life_ = Life();
  if (!options_.host->startsPrograms())
    return fail("The GPU worker is a process of its own, and there are none here.");
  auto command = options_.command.find_first_not_of(" \t\n") == std::string::npos
                     ? defaultWorkerCommand(*options_.host)
                     : Result<std::string>(options_.command);
  if (!command) return fail(command.error().sentence());
  life_.name = options_.command.empty() ? "lanescope-gpu" : printable(options_.command, 80);
  auto process = ChildProcess::start(*command);
  if (!process) return fail(process.error().sentence());
  life_.deadline = Clock::now() + options_.helloTimeout;
  {
    const std::lock_guard lock(mutex_);
    sentence_ = "Starting '" + life_.name + "' ...";
  }
  publish();
  talk(process.value());
  process.value().terminate(options_.stopPatience, life_.askToQuit);
}

void WorkerProcess::talk(ChildProcess& process) {
  while (!life_.over) {
    if (!pollOutgoing()) return;
    const short wantWrite = life_.outgoing.empty() ? short{0} : short{POLLOUT};
    std::array<pollfd, 4> waits{pollfd{life_.isHeldBack ? -1 : process.output.get(), POLLIN, 0},
                                pollfd{process.errors.get(), POLLIN, 0},
                                pollfd{wantWrite != 0 ? process.input.get() : -1, wantWrite, 0},
                                pollfd{wakeUp_.get(), POLLIN, 0}};
    if (poll(waits.data(), waits.size(), pollTimeout()) < 0 && errno != EINTR) {
      return fail("The connection to '" + life_.name + "' broke.");
    }
    if (waits[3].revents != 0) {
      eventfd_t count = 0;
      eventfd_read(wakeUp_.get(), &count);
    }
    if (waits[1].revents != 0) readErrors(process);
    if (waits[2].revents != 0) writeRequests(process);
    if (waits[0].revents != 0) readMessages(process);
    if (!life_.over) checkDeadline();
  }
}

/// Takes over the requests of callers; false once the worker is to stop.
bool WorkerProcess::pollOutgoing() {
  const std::lock_guard lock(mutex_);
  if (quit_) {
    life_.askToQuit = true;
    return false;
  }
  life_.isHeldBack = newsBytes_ >= kMaxNewsBytes;
  if (life_.isHeldBack) life_.deadline = Clock::now() + options_.silenceTimeout;
  if (!life_.greeted) return true;
  for (const std::string& line : unsent_) life_.outgoing += line + "\n";
  unsent_.clear();
  const bool busy = isBusy();
  if (busy && !life_.busy) life_.deadline = Clock::now() + options_.silenceTimeout;
  life_.busy = busy;
  state_ = busy ? WorkerState::Running : WorkerState::Ready;
  return true;
}

/// Milliseconds until an answer is late; -1 while none is due.
int WorkerProcess::pollTimeout() const {
  if (life_.greeted && !life_.busy) return -1;
  const auto left = std::chrono::ceil<milliseconds>(life_.deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 60000));
}

void WorkerProcess::checkDeadline() {
  if ((life_.greeted && !life_.busy) || Clock::now() < life_.deadline) return;
  if (!life_.greeted) {
    const std::string heard =
        life_.lastErrorLine.empty() ? "" : " It wrote: " + printable(life_.lastErrorLine, 200);
    return fail("'" + life_.name + "' did not answer as a GPU worker within " +
                secondsText(options_.helloTimeout) + " and was stopped." + heard);
  }
  fail("The GPU worker has sent nothing for " + secondsText(options_.silenceTimeout) + " and was stopped.");
}

void WorkerProcess::readMessages(ChildProcess& process) {
  std::array<char, kReadBytes> bytes;
  const ssize_t count = readSome(process.output, bytes);
  if (count < 0) return;
  const auto onLine = [this](std::string_view line, bool overlong) { splitLine(line, overlong); };
  if (count == 0) {
    life_.lines.finish(onLine);
    if (!life_.over) describeDeath(process);
    return;
  }
  hear(static_cast<std::size_t>(count));
  life_.lines.feed({bytes.data(), static_cast<std::size_t>(count)}, onLine);
  if (!life_.over && life_.lines.droppedBytes() > kMaxDropped) {
    fail("'" + life_.name + "' sends a line without end and was stopped.");
  }
  if (!life_.over) publish();
}

/// Bounds what a worker may send without an answer in it: progress, greetings and empty lines do not
/// count as answers.
void WorkerProcess::hear(std::size_t bytes) {
  life_.unanswered += bytes;
  if (life_.unanswered > kMaxUnanswered && !life_.over)
    fail("'" + life_.name + "' sends messages without end and was stopped.");
}

/// An answer that was asked for: a series' first result, or the end of a run.
void WorkerProcess::noteAnswer(const WorkerMessage& message) {
  const auto* const result = std::get_if<ResultMessage>(&message);
  const auto* const done = std::get_if<DoneMessage>(&message);
  const bool isEnd = done != nullptr && !done->ending;
  if (isEnd) life_.answered.clear();
  if (isEnd || (result != nullptr && life_.answered.insert(result->series).second)) life_.unanswered = 0;
}

void WorkerProcess::readErrors(ChildProcess& process) {
  std::array<char, kReadBytes> bytes;
  const ssize_t count = readSome(process.errors, bytes);
  const auto onLine = [this](std::string_view line, bool overlong) {
    if (!overlong) life_.lastErrorLine = line;
  };
  if (count > 0) {
    hear(static_cast<std::size_t>(count));
    life_.errorLines.feed({bytes.data(), static_cast<std::size_t>(count)}, onLine);
  }
  if (count == 0) {
    life_.errorLines.finish(onLine);
    process.errors.close();
  }
}

void WorkerProcess::writeRequests(ChildProcess& process) {
  const ssize_t count = write(process.input.get(), life_.outgoing.data(), life_.outgoing.size());
  if (count > 0) life_.outgoing.erase(0, static_cast<std::size_t>(count));
  // A broken pipe: the worker no longer reads. Its end or its silence will be reported.
  if (count < 0 && errno != EAGAIN && errno != EINTR) life_.outgoing.clear();
}

void WorkerProcess::splitLine(std::string_view line, bool overlong) {
  if (life_.over) return;
  if (overlong) return handleGarbage("a line of more than 64 KiB");
  auto message = parseMessage(line);
  if (message) return handleMessage(std::move(message).value(), line.size());
  handleGarbage("'" + printable(line, 80) + "'");
}

void WorkerProcess::handleGarbage(const std::string& what) {
  if (++life_.garbageLines < kMaxGarbageLines) return;
  fail("'" + life_.name + "' does not speak as a GPU worker: it sends " + what + ".");
}

void WorkerProcess::handleMessage(WorkerMessage message, std::size_t bytes) {
  if (const auto* hello = std::get_if<HelloMessage>(&message)) {
    if (life_.greeted) return handleGarbage("its hello again");
    if (const auto mismatch = protocolMismatch(*hello)) return fail(mismatch->sentence());
    life_.greeted = true;
  } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
    if (!life_.greeted) return fail(error->sentence);
    life_.lastRunProblem = error->sentence;
    if (!error->run && awaitsExperiment())
      return fail(
          "'" + life_.name +
          "' is older than this program: it knows no experiments. Use a worker and an app of the same "
          "version.");
  } else if (!life_.greeted) {
    return handleGarbage("a message before its hello");
  }
  if (leavesBlocksOut(message)) {
    return fail(
        "'" + life_.name +
        "' is older than this program: asked for a number of blocks, it chose its own. Use a worker and "
        "an app of the same version.");
  }
  life_.deadline = Clock::now() + options_.silenceTimeout;

  const std::lock_guard lock(mutex_);
  if (const auto* sample = std::get_if<SampleMessage>(&message)) {
    if (!wasAskedFor(runs_, sample->run, sample->series)) return;
    life_.lastRunProblem.clear();
  } else if (const auto* result = std::get_if<ResultMessage>(&message)) {
    if (!wasAskedFor(runs_, result->run, result->series)) return;
  } else if (const auto* done = std::get_if<DoneMessage>(&message)) {
    // Before a worker ends it owes a run, so that none is requested from it in the meantime.
    const bool isOfTextNow = done->run == text_.run && !text_.finished;
    if (!done->ending && runs_.erase(done->run) == 0 && !isOfTextNow) return;  // nothing was asked for
  }
  noteAnswer(message);
  const std::uint64_t run = makeRun(message);
  const bool isOfText = run != 0 && run == text_.run;
  if (isOfText) {
    const auto* error = std::get_if<ErrorMessage>(&message);
    life_.textFailed = error != nullptr ? !error->sentence.empty() : text_.failed;
    text_.failed = life_.textFailed;
    if (const auto* done = std::get_if<DoneMessage>(&message)) text_.finished = !done->ending;
    if (!life_.textFailed) life_.lastRunProblem.clear();
  } else if (run != 0) {
    life_.textFailed = false;
  }
  if (const auto* hello = std::get_if<HelloMessage>(&message)) sentence_ = "Ready: " + hello->gpu + ".";
  news_.emplace_back(WorkerHeard{std::move(message), isOfText});
  newsBytes_ += bytes;
}

/// True if an experiment was requested, and nothing else.
bool WorkerProcess::awaitsExperiment() {
  const std::lock_guard lock(mutex_);
  const auto isExperiment = [](const auto& entry) { return !entry.second.kernels.empty(); };
  return !runs_.empty() && std::ranges::all_of(runs_, isExperiment);
}

/// True if a worker that does not know block counts has timed a grid of its own instead.
bool WorkerProcess::leavesBlocksOut(const WorkerMessage& message) {
  const SeriesKey* series = findSeries(message);
  if (series == nullptr || series->blocks != 0) return false;
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(makeRun(message));
  return found != runs_.end() && requestedBlocks(found->second, series->strategy) != 0;
}

/// Its output has ended: reports how it ended.
void WorkerProcess::describeDeath(ChildProcess& process) {
  const auto end = process.ended(options_.stopPatience);
  for (int i = 0; i < 16 && process.errors.isOpen(); ++i) readErrors(process);
  life_.errorLines.finish([this](std::string_view line, bool) { life_.lastErrorLine = line; });
  const std::string heard = life_.lastErrorLine.empty() ? "." : ": " + printable(life_.lastErrorLine, 200);
  if (!end) return fail("'" + life_.name + "' closed its output and was stopped" + heard);
  if (!end->bySignal && end->code == 127 && !life_.greeted) {
    // The local shell only repeats that; another machine's, reached by ssh, gives more detail.
    return fail("The command '" + life_.name + "' was not found" +
                (life_.lastErrorLine.starts_with("sh: ") ? "." : heard));
  }
  if (!end->bySignal && end->code == 126 && !life_.greeted) {
    return fail("The command '" + life_.name + "' cannot be run" + heard);
  }
  if (!life_.lastRunProblem.empty())
    return fail(life_.lastRunProblem + " The worker then ended (" + end->text() + ").");
  const std::string when = !life_.greeted ? " before it said hello"
                           : life_.busy   ? " in the middle of a run"
                                          : "";
  fail("The GPU worker ended" + when + " (" + end->text() + ")" + heard);
}

void WorkerProcess::fail(const std::string& sentence) {
  life_.over = true;
  {
    const std::lock_guard lock(mutex_);
    // A kernel's text has ended a worker that had been well. Such an end is common with students' kernels: a
    // new worker is started before the next request.
    const bool wasLostToText = life_.greeted && (life_.textFailed || isTextRunning());
    state_ = wasLostToText ? WorkerState::Starting : WorkerState::Failed;
    if (wasLostToText) startWanted_ = true;
    sentence_ = sentence;
    news_.emplace_back(WorkerDeath{wasLostToText || isTextRunning() ? text_.run : 0, sentence});
    text_.finished = true;
    runs_.clear();
    unsent_.clear();
  }
  publish();
}

/// Lets the callers know that there is news, once until they look.
void WorkerProcess::publish() {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    if (life_.greeted && !life_.over) state_ = isBusy() ? WorkerState::Running : WorkerState::Ready;
    ++revision_;
    wake = !wakePending_;
    wakePending_ = true;
    changed_.notify_all();
  }
  if (wake && options_.wake) options_.wake();
}

}  // namespace lanescope
