// lanescope-gpu: times the strategies on this machine's GPU. Speaks JSON lines on standard input and
// output (README.md beside this file), or makes one run and ends (--once).

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/worker/bench.h"
#include "kernels/worker/bench_rules.h"
#include "kernels/worker/request_queue.h"
#include "kernels/worker/version.h"

namespace lanescope {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

struct Options {
  bool once = false;
  std::vector<std::string> sizes{"2^24"};
  std::vector<std::string> strategies;
  std::vector<std::string> cache{"cold"};
  std::vector<std::string> scopes{"kernel"};
  std::vector<std::string> elements{"float"};
  std::uint32_t block = 256;
  std::uint32_t maxSamples = 40;
  double minSeconds = 0;
  std::string record;
};

/// Writes messages to standard output and, where asked, to a recording.
class Output {
 public:
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
  static bool writeAll(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = write(STDOUT_FILENO, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  std::ofstream file_;
  bool open_ = true;
  bool failed_ = false;
};

/// The requests of a one-shot run, or what is wrong with the options.
Result<std::vector<BenchRequest>> requestsOf(const Options& options) {
  BenchRequest request;
  request.strategies = options.strategies;
  request.block = options.block;
  request.maxSamples = options.maxSamples;
  request.minSeconds = options.minSeconds;
  request.cold = request.warm = false;
  for (const std::string& cache : options.cache) (cache == "warm" ? request.warm : request.cold) = true;
  std::vector<BenchRequest> requests;
  for (const std::string& scope : options.scopes) {
    request.scope = scope == "full" ? Scope::Full : Scope::Kernel;
    for (const std::string& element : options.elements) {
      for (const ElementType type : {ElementType::Float, ElementType::Double, ElementType::Int}) {
        if (element == elementTypeName(type)) request.type = type;
      }
      for (const std::string& size : options.sizes) {
        const auto n = parseSize(size);
        if (!n) return n.error();
        request.n = *n;
        request.run = requests.size() + 1;
        const auto chosen = contendersOf(request);
        if (!chosen) return chosen.error();
        requests.push_back(request);
      }
    }
  }
  return requests;
}

int runOnce(const std::vector<BenchRequest>& requests, Bench& bench, Output& output) {
  const auto emit = [&](const WorkerMessage& message) { return output.send(message); };
  for (const BenchRequest& request : requests) {
    if (!bench.run(request, emit, [] { return false; })) return kFailed;
  }
  return output.failed() ? kFailed : kDone;
}

int serve(Bench& bench, Output& output) {
  RequestQueue requests(STDIN_FILENO);
  const auto emit = [&](const WorkerMessage& message) { return output.send(message); };
  while (const auto item = requests.next()) {
    if (const auto* error = std::get_if<Error>(&*item)) {
      if (!emit(ErrorMessage{std::nullopt, error->sentence()})) break;
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
    auto asked = requestsOf(options);
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
  app.add_option("--n", options.sizes, "Elements to reduce: 16777216, 2^24, or several: 2^10,2^12")
      ->delimiter(',');
  app.add_option("--block", options.block, "Threads a block: a power of two from 32 to 1024")
      ->capture_default_str();
  app.add_option("--strategies", options.strategies,
                 "Strategy ids, and cub (default: every reduction that can)")
      ->delimiter(',');
  app.add_option("--cache", options.cache, "cold (L2 flushed before each sample), warm, or both: cold,warm")
      ->delimiter(',')
      ->check(CLI::IsMember({"cold", "warm"}));
  app.add_option("--scope", options.scopes,
                 "kernel (a strategy's kernel alone), full (all that one value takes, CUB beside), or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"kernel", "full"}));
  app.add_option("--element", options.elements, "Types of element: float, double, int, or several")
      ->delimiter(',')
      ->check(CLI::IsMember({"float", "double", "int"}));
  app.add_option("--max-samples", options.maxSamples, "The most samples of a series")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--min-seconds", options.minSeconds, "The least time of a run, up to --max-samples")
      ->check(CLI::Range(0.0, 600.0));
  app.add_option("--record", options.record, "Also write the messages to FILE: a recording")
      ->type_name("FILE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? lanescope::kDone : lanescope::kWrongUsage;
  }
  return lanescope::runWorker(options);
}
