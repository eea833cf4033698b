#include "app/cli/bench_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "app/session/bench_export.h"
#include "app/session/worker_client.h"
#include "kernels/worker/bench_rules.h"

namespace lanescope::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr std::chrono::milliseconds kGlance{100};

volatile std::sig_atomic_t interrupted = 0;

/// The runs: one for each scope, type of element and N. The error is one sentence.
Result<std::vector<BenchRequest>> requestsOf(const BenchOptions& options) {
  BenchRequest request;
  request.strategies = options.strategies;
  request.block = options.block;
  request.maxSamples = options.maxSamples;
  request.cold = request.warm = false;
  for (const std::string& cache : options.caches) (cache == "warm" ? request.warm : request.cold) = true;
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
        const auto contenders = contendersOf(request);
        if (!contenders) return contenders.error();
        requests.push_back(request);
      }
    }
  }
  return requests;
}

/// One line on the terminal, over and over.
class ProgressLine {
 public:
  explicit ProgressLine(std::size_t runs) : runs_(runs), isShown_(isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() { wipe(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const WorkerView& view) {
    if (!isShown_) return;
    std::string text = view.sentence;
    if (const auto& progress = view.data.progress()) {
      const double share = progress->total > 0
                               ? static_cast<double>(progress->done) / static_cast<double>(progress->total)
                               : 0;
      const auto full = static_cast<std::size_t>(share * kBar);
      text = fmt::format("run {} of {} [{}{}] {} samples", progress->run, runs_, std::string(full, '='),
                         std::string(kBar - std::min<std::size_t>(full, kBar), ' '), progress->done);
    }
    if (text == last_) return;
    wipe();
    fmt::print(stderr, "{}", text);
    std::fflush(stderr);
    last_ = std::move(text);
  }

 private:
  static constexpr std::size_t kBar = 30;

  void wipe() {
    if (!last_.empty()) fmt::print(stderr, "\r\x1b[K");
    last_.clear();
  }

  std::size_t runs_;
  bool isShown_;
  std::string last_;
};

/// Waits until the worker has nothing left to do, or has failed; returns its last view.
std::shared_ptr<const WorkerView> awaitRuns(WorkerClient& client, std::size_t runs) {
  ProgressLine line(runs);
  const auto isOver = [](const WorkerView& view) {
    return view.state == WorkerState::Ready || view.state == WorkerState::Failed;
  };
  bool cancelled = false;
  while (!client.waitUntil(isOver, kGlance)) {
    line.show(*client.view());
    if (interrupted != 0 && !cancelled) {
      client.cancel();
      cancelled = true;
    }
  }
  return client.view();
}

std::size_t expectedResults(const std::vector<BenchRequest>& requests) {
  std::size_t count = 0;
  for (const BenchRequest& request : requests) {
    const auto contenders = contendersOf(request);
    if (contenders) count += contenders->size() * ((request.cold ? 1U : 0U) + (request.warm ? 1U : 0U));
  }
  return count;
}

}  // namespace

void addBenchOptions(CLI::App& command, BenchOptions& options) {
  command.add_option("--strategies", options.strategies, "ids, and cub (default: every reduction that can)")
      ->delimiter(',');
  command.add_option("--n", options.sizes, "elements: 16777216, 2^24, or several: 2^10,2^20 (default 2^24)")
      ->delimiter(',');
  command.add_option("--block", options.block,
                     "threads a block: a power of two from 32 to 1024 (default 256)");
  command.add_option("--cache", options.caches, "cold (L2 flushed before each sample), warm, or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"cold", "warm"}));
  command
      .add_option("--scope", options.scopes,
                  "kernel (a strategy's kernel alone), full (all that one value takes, CUB beside), or both")
      ->delimiter(',')
      ->check(CLI::IsMember({"kernel", "full"}));
  command.add_option("--element", options.elements, "float, double, int, or several")
      ->delimiter(',')
      ->check(CLI::IsMember({"float", "double", "int"}));
  command.add_option("--max-samples", options.maxSamples, "the most samples of a series (default 40)")
      ->check(CLI::Range(1u, 10000u));
  command.add_option("--worker", options.worker,
                     "the worker's command (default lanescope-gpu): 'ssh host lanescope-gpu', for instance");
  auto* const json = command.add_flag("--json", options.json, "print JSON");
  command.add_flag("--csv", options.csv, "print CSV")->excludes(json);
}

int benchCommand(const BenchOptions& options) {
  const auto requests = requestsOf(options);
  if (!requests) {
    fmt::print(stderr, "{}\n", requests.error().sentence());
    return kWrongUsage;
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });
  WorkerOptions worker;
  worker.command = options.worker;
  WorkerClient client(worker);
  for (const BenchRequest& request : *requests) {
    const auto run = client.bench(request);
    if (run) continue;
    fmt::print(stderr, "{}\n", run.error().sentence());
    return kWrongUsage;
  }
  const auto view = awaitRuns(client, requests->size());
  const BenchData& data = view->data;
  std::size_t results = 0;
  std::size_t wrong = 0;
  for (const auto& [key, series] : data.series()) {
    results += series.result ? 1 : 0;
    wrong += series.result && !series.result->verified ? 1 : 0;
  }
  if (results > 0)
    fmt::print("{}", options.json ? benchJson(data) : options.csv ? benchCsv(data) : benchText(data));
  if (view->state == WorkerState::Failed) {
    fmt::print(stderr, "{}\n", view->sentence);
    return kFailed;
  }
  if (results < expectedResults(*requests)) {
    fmt::print(stderr, "{}\n",
               interrupted != 0           ? "The run was cancelled; what is shown was done before."
               : data.lastError().empty() ? "The worker left a part of the runs out."
                                          : data.lastError());
    return kFailed;
  }
  return wrong == 0 ? kDone : kFailed;
}

}  // namespace lanescope::cli
