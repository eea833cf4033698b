#include "app/gpu/worker_life.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/tool_process.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

/// The command that starts `lanescope-gpu`: beside this program, else on the PATH, quoted for a shell. The
/// error says in one sentence that there is none.
Result<std::string> defaultWorkerCommand() {
  constexpr const char* kName = "lanescope-gpu";
  std::error_code code;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", code).parent_path() / kName;
  if (!code && isProgram(beside)) return quotedForShell(beside.string());
  if (const auto found = findProgram(kName)) return quotedForShell(found->string());
  return Error{"The GPU worker 'lanescope-gpu' is neither beside this program nor on the PATH.",
               "./run builds it where a GPU and a CUDA Toolkit are found."};
}

using std::chrono::milliseconds;

constexpr int kMaxGarbageLines = 50;                        // a login banner has fewer
constexpr std::size_t kMaxDropped = std::size_t{4} << 20U;  // of a line that never ends
constexpr std::size_t kReadBytes = 64 * 1024;

std::string secondsText(milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (seconds == 0) return std::to_string(time.count()) + " milliseconds";
  return counted(static_cast<std::uint64_t>(seconds), "second");
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

void WorkerLife::live() {
  auto command = options_.command.find_first_not_of(" \t\n") == std::string::npos
                     ? defaultWorkerCommand()
                     : Result<std::string>(options_.command);
  if (!command) return fail(command.error().sentence());
  name_ = options_.command.empty() ? "lanescope-gpu" : printable(options_.command, 80);
  auto process = ChildProcess::start(*command);
  if (!process) return fail(process.error().sentence());
  deadline_ = Clock::now() + options_.helloTimeout;
  {
    const std::lock_guard lock(shared_.mutex);
    shared_.sentence = "Starting '" + name_ + "' ...";
  }
  publish();
  talk(process.value());
  process.value().terminate(options_.stopPatience, askToQuit_);
}

void WorkerLife::talk(ChildProcess& process) {
  while (!over_) {
    if (!pollOutgoing()) return;
    const short wantWrite = outgoing_.empty() ? short{0} : short{POLLOUT};
    std::array<pollfd, 4> waits{
        pollfd{process.output.get(), POLLIN, 0}, pollfd{process.errors.get(), POLLIN, 0},
        pollfd{wantWrite != 0 ? process.input.get() : -1, wantWrite, 0}, pollfd{wakeUp_, POLLIN, 0}};
    if (poll(waits.data(), waits.size(), pollTimeout()) < 0 && errno != EINTR) {
      return fail("The connection to '" + name_ + "' broke.");
    }
    if (waits[3].revents != 0) {
      eventfd_t count = 0;
      eventfd_read(wakeUp_, &count);
    }
    if (waits[1].revents != 0) readErrors(process);
    if (waits[2].revents != 0) writeRequests(process);
    if (waits[0].revents != 0) readMessages(process);
    if (!over_) checkDeadline();
  }
}

/// Takes over the requests of callers; false once the worker is to stop.
bool WorkerLife::pollOutgoing() {
  const std::lock_guard lock(shared_.mutex);
  if (shared_.quit) {
    askToQuit_ = true;
    return false;
  }
  if (!greeted_) return true;
  for (const std::string& line : shared_.outgoing) outgoing_ += line + "\n";
  shared_.outgoing.clear();
  const bool busy = shared_.busy();
  if (busy && !busy_) deadline_ = Clock::now() + options_.silenceTimeout;
  busy_ = busy;
  shared_.state = busy ? WorkerState::Running : WorkerState::Ready;
  return true;
}

/// Milliseconds until an answer is late; -1 while none is due.
int WorkerLife::pollTimeout() const {
  if (greeted_ && !busy_) return -1;
  const auto left = std::chrono::ceil<milliseconds>(deadline_ - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 60000));
}

void WorkerLife::checkDeadline() {
  if ((greeted_ && !busy_) || Clock::now() < deadline_) return;
  if (!greeted_) {
    const std::string heard = lastErrorLine_.empty() ? "" : " It wrote: " + printable(lastErrorLine_, 200);
    return fail("'" + name_ + "' did not answer as a GPU worker within " +
                secondsText(options_.helloTimeout) + " and was stopped." + heard);
  }
  fail("The GPU worker has sent nothing for " + secondsText(options_.silenceTimeout) + " and was stopped.");
}

void WorkerLife::readMessages(ChildProcess& process) {
  std::array<char, kReadBytes> bytes;
  const ssize_t count = readSome(process.output, bytes);
  if (count < 0) return;
  const auto onLine = [this](std::string_view line, bool overlong) { splitLine(line, overlong); };
  if (count == 0) {
    lines_.finish(onLine);
    if (!over_) describeDeath(process);
    return;
  }
  lines_.feed({bytes.data(), static_cast<std::size_t>(count)}, onLine);
  if (!over_ && lines_.droppedBytes() > kMaxDropped) {
    fail("'" + name_ + "' sends a line without end and was stopped.");
  }
  if (!over_) publish();
}

void WorkerLife::readErrors(ChildProcess& process) {
  std::array<char, kReadBytes> bytes;
  const ssize_t count = readSome(process.errors, bytes);
  const auto onLine = [this](std::string_view line, bool overlong) {
    if (!overlong) lastErrorLine_ = line;
  };
  if (count > 0) errorLines_.feed({bytes.data(), static_cast<std::size_t>(count)}, onLine);
  if (count == 0) {
    errorLines_.finish(onLine);
    process.errors.close();
  }
}

void WorkerLife::writeRequests(ChildProcess& process) {
  const ssize_t count = write(process.input.get(), outgoing_.data(), outgoing_.size());
  if (count > 0) outgoing_.erase(0, static_cast<std::size_t>(count));
  // A broken pipe: the worker no longer reads. Its end or its silence will be reported.
  if (count < 0 && errno != EAGAIN && errno != EINTR) outgoing_.clear();
}

void WorkerLife::splitLine(std::string_view line, bool overlong) {
  if (over_) return;
  if (overlong) return handleGarbage("a line of more than 64 KiB");
  const auto message = parseMessage(line);
  if (message) return handleMessage(*message);
  handleGarbage("'" + printable(line, 80) + "'");
}

void WorkerLife::handleGarbage(const std::string& what) {
  if (++garbageLines_ < kMaxGarbageLines) return;
  fail("'" + name_ + "' does not speak as a GPU worker: it sends " + what + ".");
}

void WorkerLife::handleMessage(const WorkerMessage& message) {
  if (const auto* hello = std::get_if<HelloMessage>(&message)) {
    if (const auto mismatch = protocolMismatch(*hello)) return fail(mismatch->sentence());
    greeted_ = true;
  } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
    if (!greeted_) return fail(error->sentence);
    lastRunProblem_ = error->sentence;
    if (!error->run && awaitsExperiment())
      return fail(
          "'" + name_ +
          "' is older than this program: it knows no experiments. Use a worker and an app of the same "
          "version.");
  } else if (!greeted_) {
    return handleGarbage("a message before its hello");
  }
  if (leavesBlocksOut(message)) {
    return fail(
        "'" + name_ +
        "' is older than this program: asked for a number of blocks, it chose its own. Use a worker and "
        "an app of the same version.");
  }
  deadline_ = Clock::now() + options_.silenceTimeout;

  const std::lock_guard lock(shared_.mutex);
  if (const auto* sample = std::get_if<SampleMessage>(&message)) {
    if (!wasAskedFor(shared_.runs, sample->run, sample->series)) return;
    lastRunProblem_.clear();
  } else if (const auto* result = std::get_if<ResultMessage>(&message)) {
    if (!wasAskedFor(shared_.runs, result->run, result->series)) return;
  } else if (const auto* done = std::get_if<DoneMessage>(&message)) {
    // Before a worker ends it owes a run, so that none is requested from it in the meantime.
    if (!done->ending) shared_.runs.erase(done->run);
  }
  if (const std::uint64_t run = makeRun(message); run != 0 && run == shared_.edited.run()) {
    shared_.edited.apply(message);
    textFailed_ = !shared_.edited.problem().empty();
    if (!textFailed_) lastRunProblem_.clear();
    if (!std::holds_alternative<DoneMessage>(message)) return;
  } else if (run != 0) {
    textFailed_ = false;
  }
  shared_.data.apply(message);
  if (std::holds_alternative<HelloMessage>(message))
    shared_.sentence = "Ready: " + shared_.data.hello()->gpu + ".";
}

/// True if an experiment was requested, and nothing else.
bool WorkerLife::awaitsExperiment() {
  const std::lock_guard lock(shared_.mutex);
  const auto isExperiment = [](const auto& entry) { return !entry.second.kernels.empty(); };
  return !shared_.runs.empty() && std::ranges::all_of(shared_.runs, isExperiment);
}

/// True if a worker that does not know block counts has timed a grid of its own instead.
bool WorkerLife::leavesBlocksOut(const WorkerMessage& message) {
  const SeriesKey* series = findSeries(message);
  if (series == nullptr || series->blocks != 0) return false;
  const std::lock_guard lock(shared_.mutex);
  const auto found = shared_.runs.find(makeRun(message));
  return found != shared_.runs.end() && requestedBlocks(found->second, series->strategy) != 0;
}

/// Its output has ended: reports how it ended.
void WorkerLife::describeDeath(ChildProcess& process) {
  const auto end = process.ended(options_.stopPatience);
  for (int i = 0; i < 16 && process.errors.isOpen(); ++i) readErrors(process);
  errorLines_.finish([this](std::string_view line, bool) { lastErrorLine_ = line; });
  const std::string heard = lastErrorLine_.empty() ? "." : ": " + printable(lastErrorLine_, 200);
  if (!end) return fail("'" + name_ + "' closed its output and was stopped" + heard);
  if (!end->bySignal && end->code == 127 && !greeted_) {
    // The local shell only repeats that; another machine's, reached by ssh, gives more detail.
    return fail("The command '" + name_ + "' was not found" +
                (lastErrorLine_.starts_with("sh: ") ? "." : heard));
  }
  if (!end->bySignal && end->code == 126 && !greeted_) {
    return fail("The command '" + name_ + "' cannot be run" + heard);
  }
  if (!lastRunProblem_.empty())
    return fail(lastRunProblem_ + " The worker then ended (" + end->text() + ").");
  const std::string when = !greeted_ ? " before it said hello" : busy_ ? " in the middle of a run" : "";
  fail("The GPU worker ended" + when + " (" + end->text() + ")" + heard);
}

/// True if a kernel's text ended a worker that had been well. Under the mutex.
bool WorkerLife::wasLostToText() const { return greeted_ && (textFailed_ || shared_.editing()); }

void WorkerLife::fail(const std::string& sentence) {
  over_ = true;
  {
    const std::lock_guard lock(shared_.mutex);
    shared_.state = WorkerState::Failed;
    shared_.sentence = sentence;
    if (wasLostToText()) {
      // Such an end is common with students' kernels: a new worker is started before the next request.
      shared_.state = WorkerState::Starting;
      shared_.startWanted = true;
      shared_.edited.lose(sentence);
    } else if (shared_.editing()) {
      shared_.edited.lose(sentence);
    }
    shared_.runs.clear();
    shared_.outgoing.clear();
    shared_.data.dropProgress();
  }
  publish();
}

/// Lets the callers know that there is news, once until they look.
void WorkerLife::publish() {
  bool wake = false;
  {
    const std::lock_guard lock(shared_.mutex);
    if (greeted_ && !over_) shared_.state = shared_.busy() ? WorkerState::Running : WorkerState::Ready;
    ++shared_.revision;
    wake = !shared_.wakePending;
    shared_.wakePending = true;
    shared_.changed.notify_all();
  }
  if (wake && options_.wake) options_.wake();
}

}  // namespace lanescope
