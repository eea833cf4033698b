#include "app/session/launch/run_job.h"

#include <exception>
#include <utility>

#include "app/session/base/give_back_memory.h"

namespace lanescope {
namespace {

RunOutcome refusal(const Error& error) { return {nullptr, error, std::nullopt, nullptr}; }

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
      return refusal({std::string("The simulation ended early: ") + failure.what() + ".", "", {}});
    }
  }

 private:
  RunOutcome run(const RunRequest& request, const std::stop_token& stop,
                 const RunJob::Deliver& deliver) const {
    Result<Launch> launch = kernels_->compiled(request.launch);
    if (!launch) return refusal(launch.error());
    launch->stop = stop;
    std::shared_ptr<const PicturePlan> plan;
    RunOptions options;
    options.traced = request.block;
    options.isWhole = request.strategy != nullptr;
    options.whenTraced = [&](const Run& run) {
      plan = planOf(run, request.planner);
      deliver({std::make_shared<const Run>(run), run.untraced, std::nullopt, plan});
    };
    Result<Run> run = runLaunch(*launch, options);
    if (!run) return refusal(run.error());
    auto buffers = std::exchange(run->simulation.buffers, {});
    const auto shared = std::make_shared<const Run>(*run);
    if (plan == nullptr) plan = planOf(*run, request.planner);
    RunOutcome outcome{shared, run->untraced, std::nullopt, plan};
    if (request.strategy == nullptr || !run->isWhole) return outcome;
    deliver(outcome);  // the picture does not wait for the check
    run->simulation.buffers = std::move(buffers);
    outcome.result = checkResult(*request.strategy, *run);
    return outcome;
  }

  static std::shared_ptr<const PicturePlan> planOf(const Run& run, const PicturePlanner& planner) {
    return planner && run.trace != nullptr && !run.untraced ? planner(*run.trace) : nullptr;
  }

  std::shared_ptr<KernelCache> kernels_;
};

}  // namespace

RunJob::PartWork runWork(std::shared_ptr<KernelCache> kernels) { return RunWork(std::move(kernels)); }

}  // namespace lanescope
