// lanescope-gpu: times the strategies on this machine's GPU. Speaks JSON lines on standard input and
// output (README.md beside this file), or makes one run and ends (--once).

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/worker/bench.h"
#include "kernels/worker/bench_blocks.h"
#include "kernels/worker/bench_options.h"
#include "kernels/worker/counters_command.h"
#include "kernels/worker/device.h"
#include "kernels/worker/edited_kernel.h"
#include "kernels/worker/ncu_run.h"
#include "kernels/worker/request_queue.h"
#include "kernels/worker/version.h"

namespace lanescope {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

struct Options {
  bool once = false;
  BenchOptions runs;
  std::string record;
};

/// Writes messages to standard output and, where asked, to a recording.
class Output {
 public:
  /// What kernels print goes to standard error from here on: standard output is for messages alone.
  Output() : descriptor_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
  ~Output() { close(descriptor_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  bool record(const std::string& path) {
    file_.open(path, std::ios::trunc);
    return file_.is_open();
  }

  /// Returns false once nobody reads standard output any more, or the recording cannot be written.
  bool send(const WorkerMessage& message) {
    if (const auto* result = std::get_if<ResultMessage>(&message)) failed_ = failed_ || !result->verified;
    if (std::holds_alternative<ErrorMessage>(message)) failed_ = true;
    const std::string line = toLine(message) + "\n";
    const bool progress = std::holds_alternative<ProgressMessage>(message);  // of no use in a recording
    if (file_.is_open() && !progress) file_ << line << std::flush;
    return open_ = open_ && writeAll(line) && file_.good();
  }

  /// Whether an error or a wrong sum was sent.
  bool failed() const { return failed_; }

 private:
  bool writeAll(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  int descriptor_;
  std::ofstream file_;
  bool open_ = true;
  bool failed_ = false;
};

int runOnce(const std::vector<BenchRequest>& requests, Bench& bench, Output& output) {
  const auto emit = [&](const WorkerMessage& message) { return output.send(message); };
  std::string told;
  for (const BenchRequest& request : requests) {
    const std::string note = ownGridsText(request);
    if (!note.empty() && note != told) std::fprintf(stderr, "lanescope-gpu: %s\n", note.c_str());
    if (!note.empty()) told = note;
    if (!bench.run(request, emit, [] { return false; })) return kFailed;
  }
  return output.failed() ? kFailed : kDone;
}

std::string ownPath() {
  std::error_code code;
  return std::filesystem::read_symlink("/proc/self/exe", code).string();
}

/// Reads a launch's counters, saying each second that it is still at it.
void readCounters(const CountersRequest& request, RequestQueue& requests, const Bench::Emit& emit) {
  constexpr double kLimit = 120;
  std::uint64_t told = 0;
  const auto stillWanted = [&](double seconds) {
    if (const auto whole = static_cast<std::uint64_t>(seconds); whole > told) {
      told = whole;
      if (!emit(ProgressMessage{request.run, whole, static_cast<std::uint64_t>(kLimit)})) return false;
    }
    return !requests.cancelled(request.run);
  };
  const auto missing = compilerProblem(request.run);
  const auto counters = missing ? Result<CountersMessage>(Error{})
                                : readLaunchCounters(request, ownPath(), stillWanted, kLimit);
  const bool cancelled = requests.cancelled(request.run);
  if (missing) {
    emit(*missing);
  } else if (counters) {
    emit(*counters);
  } else if (!cancelled) {
    emit(ErrorMessage{request.run, counters.error().sentence()});
  }
  emit(DoneMessage{request.run, cancelled});
  requests.finished(request.run);
}

/// `lanescope-gpu counters`: one launch's counters as a message, and the end.
int runCounters(const CountersOptions& options) {
  Output output;
  HelloMessage device;
  try {
    device = describeDevice();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "lanescope-gpu: %s\n", failure.what());
    return kFailed;
  }
  const auto request = countersRequestOf(options, device.sms);
  if (!request) {
    std::fprintf(stderr, "lanescope-gpu: %s\n", request.error().sentence().c_str());
    return kWrongUsage;
  }
  output.send(device);
  const auto counters = readLaunchCounters(*request, ownPath(), [](double) { return true; });
  if (!counters) {
    std::fprintf(stderr, "lanescope-gpu: %s\n", counters.error().sentence().c_str());
    return kFailed;
  }
  return output.send(*counters) ? kDone : kFailed;
}

int launchOnce(const std::string& path) {
  const auto problem = launchOnceFrom(path);
  if (!problem) return kDone;
  std::fprintf(stderr, "lanescope-gpu: %s\n", problem->sentence().c_str());
  return kFailed;
}

int serve(Bench& bench, Output& output) {
  RequestQueue requests(STDIN_FILENO);
  const auto emit = [&](const WorkerMessage& message) { return output.send(message); };
  while (const auto item = requests.next()) {
    if (const auto* error = std::get_if<Error>(&*item)) {
      if (!emit(ErrorMessage{std::nullopt, error->sentence()})) break;
      continue;
    }
    if (const auto* edited = std::get_if<CompileRunRequest>(&*item)) {
      runEditedKernel(
          *edited, bench.hello(), emit, [&] { return requests.cancelled(edited->run); },
          [] { _exit(kFailed); });
      requests.finished(edited->run);
      continue;
    }
    if (const auto* counters = std::get_if<CountersRequest>(&*item)) {
      readCounters(*counters, requests, emit);
      continue;
    }
    const auto& request = std::get<BenchRequest>(*item);
    if (!bench.run(request, emit, [&] { return requests.cancelled(request.run); })) return kFailed;
    requests.finished(request.run);
  }
  return kDone;
}

int runWorker(const Options& options) {
  Output output;
  if (!options.record.empty() && !output.record(options.record)) {
    std::fprintf(stderr, "lanescope-gpu: the recording '%s' cannot be written.\n", options.record.c_str());
    return kWrongUsage;
  }
  std::vector<BenchRequest> requests;
  if (options.once) {
    auto asked = requestsOf(options.runs);
    if (!asked) {
      std::fprintf(stderr, "lanescope-gpu: %s\n", asked.error().sentence().c_str());
      return kWrongUsage;
    }
    requests = std::move(asked).value();
  }
  auto bench = Bench::open();
  if (!bench) {
    output.send(ErrorMessage{std::nullopt, bench.error().sentence()});
    std::fprintf(stderr, "lanescope-gpu: %s\n", bench.error().sentence().c_str());
    return kFailed;
  }
  if (!output.send(bench->hello())) return kDone;
  return options.once ? runOnce(requests, bench.value(), output) : serve(bench.value(), output);
}

}  // namespace
}  // namespace lanescope

int main(int argc, char** argv) {
  using lanescope::Options;
  // Every kernel is loaded when CUDA starts: see Stopwatch for why none may load during a sample.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that is gone shows as a failed write

  Options options;
  CLI::App app{
      "Times Lanescope's reductions on this machine's GPU. Reads requests and writes results as JSON\n"
      "lines on standard input and output; with --once, makes one run and ends."};
  app.set_version_flag("--version", "lanescope-gpu " + std::string(lanescope::kWorkerVersion) + " (" +
                                        std::string(lanescope::kWorkerProtocol) + ")");
  app.add_flag("--once", options.once, "Make one run, print its messages, end");
  lanescope::addBenchOptions(app, options.runs);
  app.add_option("--min-seconds", options.runs.minSeconds, "The least time of a run, up to --max-samples")
      ->check(CLI::Range(0.0, 600.0));
  app.add_option("--record", options.record, "Also write the messages to FILE: a recording")
      ->type_name("FILE");
  lanescope::CountersOptions countersOptions;
  const CLI::App* const counters = lanescope::addCountersCommand(app, countersOptions);
  std::string launchFile;
  CLI::App* const launch = app.add_subcommand("launch-once", "Launch a request's kernel once: for counters");
  launch->add_option("file", launchFile, "A file with one request")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? lanescope::kDone : lanescope::kWrongUsage;
  }
  if (counters->parsed()) return lanescope::runCounters(countersOptions);
  if (launch->parsed()) return lanescope::launchOnce(launchFile);
  return lanescope::runWorker(options);
}
