#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <unistd.h>
#include <CLI/CLI.hpp>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/ncu_run.h"
#include "kernels/protocol/worker_options.h"
#include "kernels/worker/bench.h"
#include "kernels/worker/channel.h"
#include "kernels/worker/device.h"
#include "kernels/worker/edited_kernel.h"
#include "kernels/worker/version.h"

// lanescope-gpu: times the strategies on this machine's GPU. Speaks JSON lines on standard input and
// output (README.md beside this file), or makes one run and ends (--once).

namespace lanescope {
namespace {

/// Adds `counters` and its options to the program's.
CLI::App* addCountersCommand(CLI::App& app, LaunchOptions& options) {
  CLI::App* const command =
      app.add_subcommand("counters", "Read the hardware counters of one launch with Nsight Compute (ncu)");
  command->add_option("target", options.targets, "A strategy's id, or a .cu file")->required()->expected(1);
  addLaunchOptions(*command, options);
  return command;
}

/// Adds `profile` and its options.
CLI::App* addProfileCommand(CLI::App& app, LaunchOptions& options) {
  CLI::App* const command = app.add_subcommand(
      "profile", "Profile launches line by line with Nsight Compute (ncu), one run of it for each");
  options.n = "2^26";
  command
      ->add_option("target", options.targets,
                   "Ids of strategies or experiments, 'all' strategies, or a .cu file")
      ->required();
  addLaunchOptions(*command, options);
  return command;
}

/// Reads a request, `counters`, `profile` or `compile-run`, from a file's first line and launches its kernel
/// once (edited_kernel.h): this runs under Nsight Compute. The text of a `profile` is compiled with its line
/// numbers, and must be beside the request under the name from profiledFile.
std::optional<Error> launchOnceFrom(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  if (!std::getline(file, line)) return Error{"'" + printable(path) + "' cannot be read."};
  const auto request = parseRequest(line);
  if (!request) return request.error();
  if (const auto* counters = std::get_if<CountersRequest>(&*request)) return launchTextOnce(counters->launch);
  if (const auto* edited = std::get_if<CompileRunRequest>(&*request)) return launchTextOnce(edited->launch);
  if (const auto* profile = std::get_if<ProfileRequest>(&*request)) {
    const auto text = std::filesystem::absolute(path).parent_path() / profiledFile(*profile);
    return launchTextOnce(profile->launch, text.string(), linkedStrategy(*profile));
  }
  return Error{"'" + printable(path) + "' holds no launch."};
}

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

struct Options {
  bool once = false;
  BenchOptions runs;
  std::string record;
};

int complain(const std::string& sentence, int status) {
  std::fprintf(stderr, "lanescope-gpu: %s\n", sentence.c_str());
  return status;
}

/// Also writes the sent messages to a recording if requested; returns false if that fails.
bool isRecorded(Output& output, const std::string& record) {
  if (record.empty() || output.record(record)) return true;
  complain("the recording '" + record + "' cannot be written.", kWrongUsage);
  return false;
}

int runOnce(const std::vector<BenchRequest>& requests, Bench& bench, Output& output) {
  const auto emit = [&](const WorkerMessage& message) { return output.send(message); };
  std::string printed;
  for (const BenchRequest& request : requests) {
    const std::string note = ownGridsText(request);
    if (!note.empty() && note != printed) complain(note, kDone);
    if (!note.empty()) printed = note;
    if (!bench.run(request, emit, [] { return false; })) return kFailed;
  }
  return output.failed() ? kFailed : kDone;
}

std::string ownPath() {
  std::error_code code;
  return std::filesystem::read_symlink("/proc/self/exe", code).string();
}

using Messages = Result<std::vector<WorkerMessage>>;

bool always(double /*seconds*/) { return true; }

constexpr double kLimit = 120;  ///< time limit of a profiling in seconds

Messages lookAt(const CountersRequest& request, const StillWanted& stillWanted) {
  const auto counters = readLaunchCounters(request, ownPath(), stillWanted, kLimit);
  if (!counters) return counters.error();
  return std::vector<WorkerMessage>{*counters};
}

Messages lookAt(const ProfileRequest& request, const StillWanted& stillWanted) {
  const auto profile = profileLaunch(request, ownPath(), stillWanted, kLimit);
  if (!profile) return profile.error();
  return makeMessages(*profile);
}

/// Runs Nsight Compute on a request's launch, and reports each second that it is still running.
template <class Request>
void serveWithNcu(const Request& request, RequestQueue& requests, const Bench::Emit& emit) {
  const std::uint64_t run = request.run;
  std::uint64_t reported = 0;
  const StillWanted stillWanted = [&](double seconds) {
    if (const auto whole = static_cast<std::uint64_t>(seconds); whole > reported) {
      reported = whole;
      if (!emit(ProgressMessage{run, whole, static_cast<std::uint64_t>(kLimit)})) return false;
    }
    return !requests.cancelled(run);
  };
  if (const auto missing = compilerProblem(run)) {
    emit(*missing);
  } else if (const Messages messages = lookAt(request, stillWanted)) {
    for (const WorkerMessage& message : *messages) emit(message);
  } else if (!requests.cancelled(run)) {
    emit(ErrorMessage{run, messages.error().sentence()});
  }
  emit(DoneMessage{run, requests.cancelled(run)});
}

/// `lanescope-gpu counters` and `profile`: Nsight Compute's results for each launch as messages, and the end.
/// A launch that fails does not stop the next one.
template <class Look>
int runWithNcu(const LaunchOptions& options, const std::string& record, Look look) {
  Output output;
  // Errors in the options are reported before a GPU is searched for.
  constexpr std::uint32_t kAnySms = 1;
  if (const auto tried = makeLaunches(options, kAnySms); !tried)
    return complain(tried.error().sentence(), kWrongUsage);
  HelloMessage device;
  try {
    device = describeDevice();
  } catch (const std::exception& failure) {
    return complain(failure.what(), kFailed);
  }
  const auto launches = makeLaunches(options, device.sms);
  if (!launches) return complain(launches.error().sentence(), kWrongUsage);
  if (!isRecorded(output, record)) return kWrongUsage;
  if (!output.send(device)) return kFailed;
  int status = kDone;
  for (std::size_t i = 0; i < launches->size(); ++i) {
    const NamedLaunch& launch = (*launches)[i];
    const Messages messages = look(launch, i + 1);
    if (!messages) {
      const std::string whose = launch.strategy.empty() ? "" : launch.strategy + ": ";
      status = complain(whose + messages.error().sentence(), kFailed);
      continue;
    }
    for (const WorkerMessage& message : *messages) {
      if (!output.send(message)) return kFailed;
    }
    output.recordProfile();
  }
  return status;
}

int runCounters(const LaunchOptions& options) {
  return runWithNcu(options, {}, [](const NamedLaunch& launch, std::uint64_t run) {
    return lookAt(CountersRequest{run, launch.launch}, always);
  });
}

int runProfiles(const LaunchOptions& options, const std::string& record) {
  return runWithNcu(options, record, [](const NamedLaunch& launch, std::uint64_t run) -> Messages {
    const ProfileRequest request{run, launch.launch, findStrategy(launch.strategy) != nullptr};
    auto profile = profileLaunch(request, ownPath(), always);
    if (!profile) return profile.error();
    profile.value().kernel.strategy = launch.strategy;
    profile.value().kernel.n = launch.n;
    return makeMessages(*profile);
  });
}

int launchOnce(const std::string& path) {
  const auto problem = launchOnceFrom(path);
  return problem ? complain(problem->sentence(), kFailed) : kDone;
}

/// Opens the GPU, sends its hello and calls `work` to send messages about it, also to a recording if
/// requested; `work` returns whether the GPU succeeded.
int runMessages(const std::string& record, const std::function<bool(Bench&, const Bench::Emit&)>& work) {
  Output output;
  if (!isRecorded(output, record)) return kWrongUsage;
  auto bench = Bench::open();
  if (!bench) return complain(bench.error().sentence(), kFailed);
  if (!output.send(bench->hello())) return kDone;
  const bool isDone = work(*bench, [&](const WorkerMessage& message) { return output.send(message); });
  return !isDone || output.failed() ? kFailed : kDone;
}

/// `lanescope-gpu experiment`: the shipped experiments, one after another, and the end.
int runExperiments(const ExperimentOptions& options) {
  const auto requests = makeExperimentRequests(options);
  if (!requests) return complain(requests.error().sentence(), kWrongUsage);
  return runMessages(options.record, [&](Bench& bench, const Bench::Emit& emit) {
    return std::all_of(requests->begin(), requests->end(), [&](const ExperimentRequest& request) {
      return bench.run(request, emit, [] { return false; });
    });
  });
}

/// `lanescope-gpu rates`: the work of each unit of the GPU per microsecond.
int runRates(const std::string& record) {
  return runMessages(record, [](Bench& bench, const Bench::Emit& emit) { return bench.measureRates(emit); });
}

/// Serves one item of the queue; returns the exit status if the GPU or the reader is gone for good.
struct Service {
  Bench& bench;
  RequestQueue& requests;
  const Bench::Emit& emit;

  void serve(const CompileRunRequest& request) const {
    runEditedKernel(
        request, bench.hello(), emit, [&] { return requests.cancelled(request.run); },
        [] { _exit(kFailed); });
  }
  void serve(const CountersRequest& request) const { serveWithNcu(request, requests, emit); }
  void serve(const ProfileRequest& request) const { serveWithNcu(request, requests, emit); }

  std::optional<int> operator()(const Error& error) const {
    if (emit(ErrorMessage{std::nullopt, error.sentence()})) return std::nullopt;
    return kDone;
  }
  template <class Request>
  std::optional<int> operator()(const Request& request) const {
    if constexpr (requires { bench.run(request, emit, [] { return false; }); }) {
      if (!bench.run(request, emit, [&] { return requests.cancelled(request.run); })) return kFailed;
    } else {
      serve(request);
    }
    requests.finished(request.run);
    return std::nullopt;
  }
};

int serve(Bench& bench, Output& output) {
  RequestQueue requests(STDIN_FILENO);
  const Bench::Emit emit = [&](const WorkerMessage& message) { return output.send(message); };
  const Service service{bench, requests, emit};
  while (const auto item = requests.next()) {
    if (const std::optional<int> status = std::visit(service, *item)) return *status;
  }
  return kDone;
}

int runWorker(const Options& options) {
  Output output;
  if (!isRecorded(output, options.record)) return kWrongUsage;
  std::vector<BenchRequest> requests;
  if (options.once) {
    auto asked = makeRequests(options.runs);
    if (!asked) return complain(asked.error().sentence(), kWrongUsage);
    requests = std::move(asked).value();
  }
  auto bench = Bench::open();
  if (!bench) {
    output.send(ErrorMessage{std::nullopt, bench.error().sentence()});
    return complain(bench.error().sentence(), kFailed);
  }
  if (!output.send(bench->hello())) return kDone;
  return options.once ? runOnce(requests, bench.value(), output) : serve(bench.value(), output);
}

}  // namespace
}  // namespace lanescope

int main(int argc, char** argv) {
  using lanescope::Options;
  // Every kernel is loaded when CUDA starts: Stopwatch explains why none may load during a sample.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  std::signal(SIGPIPE, SIG_IGN);  // a closed reader shows as a failed write

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
  const auto addRecord = [&](CLI::App& command) {
    command.add_option("--record", options.record, "Also write the messages to FILE: a recording")
        ->type_name("FILE");
  };
  addRecord(app);
  lanescope::LaunchOptions countersOptions;
  const CLI::App* const counters = lanescope::addCountersCommand(app, countersOptions);
  lanescope::LaunchOptions profileOptions;
  CLI::App* const profile = lanescope::addProfileCommand(app, profileOptions);
  addRecord(*profile);
  lanescope::ExperimentOptions experimentOptions;
  const CLI::App* const experiment = lanescope::addExperimentCommand(app, experimentOptions);
  CLI::App* const rates = app.add_subcommand(
      "rates", "Measure what each unit can do per microsecond: DRAM, L2, shared memory, issue slots");
  addRecord(*rates);
  std::string launchFile;
  CLI::App* const launch =
      app.add_subcommand("launch-once", "Launch a request's kernel once: for Nsight Compute");
  launch->add_option("file", launchFile, "A file with one request")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? lanescope::kDone : lanescope::kWrongUsage;
  }
  if (counters->parsed()) return lanescope::runCounters(countersOptions);
  if (profile->parsed()) return lanescope::runProfiles(profileOptions, options.record);
  if (experiment->parsed()) return lanescope::runExperiments(experimentOptions);
  if (rates->parsed()) return lanescope::runRates(options.record);
  if (launch->parsed()) return lanescope::launchOnce(launchFile);
  return lanescope::runWorker(options);
}
