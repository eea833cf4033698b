#include "app/workbench/run_job.h"

#include <exception>
#include <utility>

#include "app/base/system.h"
#include "app/launch/kernel_signature.h"
#include "sim/machine/run/prepare.h"

namespace lanescope {
namespace {

RunOutcome refusal(const RunRequest& request, const Error& error) {
  RunOutcome outcome{request};
  outcome.error = error;
  return outcome;
}

class RunWork {
 public:
  explicit RunWork(std::shared_ptr<KernelCache> kernels) : kernels_(std::move(kernels)) {}

  RunOutcome operator()(const RunRequest& request, const std::stop_token& stop,
                        const RunJob::Deliver& deliver) const {
    try {
      RunOutcome outcome = run(request, stop, deliver);
      giveBackMemory();
      return outcome;
    } catch (const std::exception& failure) {  // memory, above all
      return refusal(request, {std::string("The simulation ended early: ") + failure.what() + ".", "", {}});
    }
  }

 private:
  RunOutcome run(const RunRequest& request, const std::stop_token& stop,
                 const RunJob::Deliver& deliver) const {
    Result<Launch> launch = kernels_->compiled(request.launch);
    if (!launch) {
      RunOutcome refused = refusal(request, launch.error());
      refused.error->diagnostics = toDiagnostics(launch.error());
      return refused;
    }
    launch->stop = stop;
    const Strategy* const strategy = request.selection.strategy;
    RunOutcome outcome{request};
    if (strategy != nullptr) outcome.facts = kernels_->collectFacts(*strategy, request.launch.source);
    const auto receive = [&](const Run& run) {
      outcome.run = std::make_shared<const Run>(run);
      outcome.error = run.untraced;
      if (outcome.plan == nullptr && request.planner && run.trace != nullptr)
        outcome.plan = request.planner(*run.trace);
    };
    RunOptions options;
    options.traced = unlinear(request.selection.block, launch->grid);
    options.turns = Turns::ByLine;
    options.isWhole = strategy != nullptr && request.isWhole;
    options.whenTraced = [&](const Run& run) {
      receive(run);
      deliver(outcome);
    };
    Result<Run> run = runLaunch(*launch, options);
    if (!run) return refusal(request, run.error());
    auto buffers = std::exchange(run->simulation.buffers, {});
    receive(*run);
    if (!options.isWhole || !run->isWhole) return outcome;
    deliver(outcome);  // the picture does not wait for the check
    run->simulation.buffers = std::move(buffers);
    outcome.result = checkResult(*strategy, *run);
    return outcome;
  }

  std::shared_ptr<KernelCache> kernels_;
};

}  // namespace

const Counters* launchCounters(const RunOutcome& outcome) {
  if (outcome.run == nullptr) return nullptr;
  const Run& run = *outcome.run;
  const std::uint64_t blocks = run.launch.grid.count();
  if (run.isWhole && run.simulation.countedBlocks == blocks) return &run.simulation.counters;
  return blocks == 1 && run.trace != nullptr && !run.untraced ? &run.trace->total : nullptr;
}

RunJob::PartWork runWork(std::shared_ptr<KernelCache> kernels) { return RunWork(std::move(kernels)); }

}  // namespace lanescope
