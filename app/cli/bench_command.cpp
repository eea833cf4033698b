#include "app/cli/commands.h"

#include <fmt/format.h>

#include "app/analysis/bench_data.h"
#include "app/cli/progress.h"
#include "app/gpu/worker_client.h"
#include "kernels/protocol/bench_rules.h"

namespace lanescope::cli {
namespace {

/// The options of `lanescope-cli bench`.
struct BenchArguments {
  BenchOptions runs;
  std::string worker;
  bool json = false;
  bool csv = false;
};

/// Prints once the strategies that have other grids than requested.
void printOwnGrids(const std::vector<BenchRequest>& requests) {
  std::string printed;
  for (const BenchRequest& request : requests) {
    std::string note = ownGridsText(request);
    if (note.empty() || note == printed) continue;
    fmt::print(stderr, "{}\n", note);
    printed = std::move(note);
  }
}

std::size_t expectedResults(const std::vector<BenchRequest>& requests) {
  std::size_t count = 0;
  for (const BenchRequest& request : requests) {
    const auto contenders = makeContenders(request);
    if (contenders) count += contenders->size() * ((request.cold ? 1U : 0U) + (request.warm ? 1U : 0U));
  }
  return count;
}

int benchCommand(const BenchArguments& options) {
  const auto requests = makeRequests(options.runs);
  if (!requests) {
    fmt::print(stderr, "{}\n", requests.error().sentence());
    return kWrongUsage;
  }
  WorkerOptions worker;
  worker.command = options.worker;
  WorkerClient client(worker);
  for (const BenchRequest& request : *requests) {
    const auto run = client.bench(request);
    if (run) continue;
    fmt::print(stderr, "{}\n", run.error().sentence());
    return kWrongUsage;
  }
  printOwnGrids(*requests);
  const auto view = awaitRuns(client, requests->size());
  const BenchData& data = *view->data;
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
               wasInterrupted()           ? "The run was canceled; the results until then are shown."
               : data.lastError().empty() ? "The worker omitted some of the runs."
                                          : data.lastError());
    return kFailed;
  }
  return wrong == 0 ? kDone : kFailed;
}

}  // namespace

Command addBenchCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("bench", "Time strategies on a GPU with lanescope-gpu; print what it measured");
  const auto options = std::make_shared<BenchArguments>();
  addBenchOptions(*command, options->runs);
  command->add_option("--worker", options->worker,
                      "the worker's command (default lanescope-gpu): 'ssh host lanescope-gpu', for instance");
  auto* const json = command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--csv", options->csv, "print CSV")->excludes(json);
  return {command, [options] { return benchCommand(*options); }};
}

}  // namespace lanescope::cli
