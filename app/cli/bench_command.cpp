#include "app/cli/bench_command.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "app/cli/exit_status.h"
#include "app/cli/status_line.h"
#include "app/session/gpu/bench_export.h"
#include "app/session/gpu/worker_client.h"
#include "kernels/worker/bench_blocks.h"

namespace lanescope::cli {
namespace {

constexpr std::chrono::milliseconds kGlance{100};

volatile std::sig_atomic_t interrupted = 0;

/// What the worker does now, with a bar where a run is under way.
std::string statusOf(const WorkerView& view, std::size_t runs) {
  const auto& progress = view.data.progress();
  if (!progress) return view.sentence;
  return fmt::format("run {} of {} {} {} samples", progress->run, runs,
                     barText(progress->done, progress->total), progress->done);
}

/// Waits until the worker has nothing left to do, or has failed; returns its last view.
std::shared_ptr<const WorkerView> awaitRuns(WorkerClient& client, std::size_t runs) {
  StatusLine line;
  const auto isOver = [](const WorkerView& view) {
    return view.state == WorkerState::Ready || view.state == WorkerState::Failed;
  };
  bool cancelled = false;
  while (!client.waitUntil(isOver, kGlance)) {
    if (line.isShown()) line.show(statusOf(*client.view(), runs));
    if (interrupted != 0 && !cancelled) {
      client.cancel();
      cancelled = true;
    }
  }
  return client.view();
}

/// Says once whose grids are not what was asked for.
void tellOwnGrids(const std::vector<BenchRequest>& requests) {
  std::string told;
  for (const BenchRequest& request : requests) {
    std::string note = ownGridsText(request);
    if (note.empty() || note == told) continue;
    fmt::print(stderr, "{}\n", note);
    told = std::move(note);
  }
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

void addBenchCommandOptions(CLI::App& command, BenchCommandOptions& options) {
  addBenchOptions(command, options.runs);
  command.add_option("--worker", options.worker,
                     "the worker's command (default lanescope-gpu): 'ssh host lanescope-gpu', for instance");
  auto* const json = command.add_flag("--json", options.json, "print JSON");
  command.add_flag("--csv", options.csv, "print CSV")->excludes(json);
}

int benchCommand(const BenchCommandOptions& options) {
  const auto requests = requestsOf(options.runs);
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
  tellOwnGrids(*requests);
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
