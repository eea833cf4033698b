#include "sim/trace/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/machine/run/execution.h"
#include "sim/trace/hazard_fix.h"
#include "sim/trace/recorder.h"

namespace lanescope {
namespace {

/// A run in progress: the observers of each block.
class Running {
 public:
  Running(const Launch& launch, PreparedLaunch prepared, const RunOptions& options);

  Run run();

 private:
  bool isLooking() const { return detector_ && !detector_->isSpent(); }
  bool isWanted(std::uint64_t block) const {
    return isLooking() || (recorder_ && block <= traced_) || (options_.listener != nullptr && block == 0);
  }
  void observeNext();
  void recorderFailed();
  void detectorIsOver();
  void announce();
  bool wasStoppedByUs() const {
    return execution_.fault()->fault.kind == Fault::Kind::Stopped && !asked_.stop_requested();
  }
  void recordFault();
  RunFault describeFault(const LaunchFault& launchFault, const Error& error) const;
  HazardReport report() const;
  void tieToTrace(HazardAccess& access) const;

  const RunOptions& options_;
  Run run_;
  std::stop_token asked_;
  std::stop_source end_;
  Launch watched_;  ///< ends when a stop is requested, or when no observer listens any more
  std::stop_callback<std::function<void()>> stopping_;
  Execution execution_;
  std::uint64_t traced_ = 0;
  std::optional<Recorder> recorder_;
  std::optional<HazardDetector> detector_;
  std::uint64_t blocksLooked_ = 0;
  std::uint32_t faultPhase_ = 0;  ///< barriers that the block had passed when the detector received the fault
};

Launch watchedBy(Launch launch, const std::stop_source& end) {
  launch.stop = end.get_token();
  return launch;
}

Running::Running(const Launch& launch, PreparedLaunch prepared, const RunOptions& options)
    : options_(options),
      asked_(launch.stop),
      watched_(watchedBy(launch, end_)),
      stopping_(asked_, [this] { end_.request_stop(); }),
      execution_(watched_, std::move(prepared), options.threads) {
  execution_.countFor(options.countedInstructions);
  execution_.setTurns(options.turns);
  run_.launch = launch;
  run_.launch.compiled = execution_.prepared().kernel;
  if (options.traced) {
    traced_ = linear(*options.traced, launch.grid);
    recorder_.emplace(run_.launch, [this] { recorderFailed(); });
  }
  if (options.hazards)
    detector_.emplace(run_.launch, execution_.prepared(), *options.hazards, [this] { detectorIsOver(); });
}

// The search continues without the trace; the other blocks are not needed then.
void Running::recorderFailed() {
  run_.untraced = recorder_->failure();
  if (detector_) detector_->traceWith(nullptr);
  if (!isLooking()) {
    end_.request_stop();
    return;
  }
  announce();
}

void Running::detectorIsOver() {
  const bool isRecording = recorder_ && run_.trace == nullptr && !recorder_->failure();
  const bool goesOn = options_.isWhole && !run_.untraced;
  if (!isRecording && !goesOn) end_.request_stop();
}

void Running::announce() {
  if (options_.whenTraced) options_.whenTraced(run_);
}

void Running::observeNext() {
  const std::uint64_t block = execution_.next();
  const bool isTraced = recorder_ && block == traced_;
  const bool isLookedAt = isLooking();
  std::vector<Observer*> observers;
  if (isTraced) observers.push_back(&*recorder_);
  if (isLookedAt) observers.push_back(&*detector_);
  if (options_.listener != nullptr && block == 0) observers.push_back(options_.listener);
  if (observers.empty()) return execution_.runTo(traced_);
  if (detector_) detector_->traceWith(isTraced ? &*recorder_ : nullptr);
  execution_.observe(observers);
  if (isLookedAt && !detector_->isOver()) {
    blocksLooked_ += execution_.fault() ? 0 : 1;
    faultPhase_ = execution_.fault() ? detector_->phase() : 0;
  }
  if (!isTraced || recorder_->failure()) return;
  Trace trace = recorder_->consume();
  if (trace.fault) {
    trace.fault->place = faultPlace(execution_.prepared(), execution_.fault()->fault);
    trace.fault->sentence = asSentence(execution_.error().diagnostics.front().message);
  }
  run_.trace = std::make_shared<const Trace>(std::move(trace));
}

RunFault Running::describeFault(const LaunchFault& launchFault, const Error& error) const {
  RunFault fault{launchFault.fault, launchFault.block, 0, 0, error};
  fault.thread =
      std::uint64_t{launchFault.fault.warp} * run_.launch.machine.warpSize + launchFault.fault.lane;
  fault.line = run_.launch.source->findLine(error.diagnostics.front().span);
  return fault;
}

void Running::recordFault() {
  if (!execution_.fault() || wasStoppedByUs()) return;
  const LaunchFault& launchFault = *execution_.fault();
  RunFault fault = describeFault(launchFault, execution_.error());
  const bool isBeforeEnd = linear(launchFault.block, run_.launch.grid) <= traced_;
  if (recorder_ && isBeforeEnd && !run_.untraced) run_.untraced = fault.error;
  run_.fault = std::move(fault);
}

/// A step that was never recorded becomes nullopt.
void Running::tieToTrace(HazardAccess& access) const {
  if (run_.trace == nullptr || access.step >= run_.trace->steps.size()) access.step.reset();
}

HazardReport Running::report() const {
  HazardReport report;
  report.kernel = execution_.prepared().code().kernelName;
  report.blocks = run_.launch.grid.count();
  report.blocksLooked = blocksLooked_;
  report.isComplete = blocksLooked_ == report.blocks && !detector_->gaveUp();
  const HazardDetector::Findings found = detector_->findings();
  report.omitted = found.omitted;
  report.hazards = describe(run_.launch, execution_.prepared(), found);
  if (run_.fault) {
    auto fault =
        describe(run_.launch, execution_.prepared(), {run_.fault->fault, run_.fault->block}, faultPhase_);
    if (fault && run_.trace != nullptr && run_.trace->fault) fault->access.step = run_.trace->fault->step;
    const bool isKnown = fault && std::ranges::any_of(report.hazards, [&](const Hazard& known) {
                           return known.kind == fault->kind && known.access.line == fault->access.line;
                         });
    if (fault && !isKnown) report.hazards.push_back(*fault);
  }
  std::ranges::stable_sort(report.hazards, std::ranges::greater{}, &Hazard::severity);
  for (Hazard& hazard : report.hazards) {
    tieToTrace(hazard.access);
    if (hazard.earlier) tieToTrace(*hazard.earlier);
  }
  return report;
}

Run Running::run() {
  const std::uint64_t blocks = run_.launch.grid.count();
  if (execution_.prepared().code().meetsGrid) {  // no single block can be recorded
    run_.untraced =
        Error{"Blocks that wait for each other are run, but not traced and not searched for hazards.",
              "Trace a launch of one block, without the barrier of the grid."};
    execution_.runTo(blocks);
  }
  while (!execution_.isOver() && isWanted(execution_.next())) observeNext();
  const bool goesOn = options_.isWhole && !execution_.isOver() && !run_.untraced;
  if (goesOn) {
    if (recorder_ && options_.whenTraced) {
      if (detector_) run_.hazards = report();
      announce();
    }
    execution_.runTo(blocks);
  }
  recordFault();
  run_.isWhole = !execution_.fault() && execution_.next() == blocks;
  if (detector_) run_.hazards = report();
  if (const auto tolerated = execution_.tolerated())
    run_.tolerated = describeFault(
        *tolerated, faultError(run_.launch, execution_.prepared(), tolerated->block, tolerated->fault));
  for (const LaunchFault& found : execution_.unwritten()) {
    if (auto hazard = describe(run_.launch, execution_.prepared(), found, 0))
      run_.unwritten.emplace_back(std::move(*hazard), found.fault.address);
  }
  run_.simulation = execution_.consume();
  return std::move(run_);
}

}  // namespace

Result<Run> runLaunch(const Launch& launch, const RunOptions& options) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  return runLaunch(launch, std::move(*prepared), options);
}

Result<Run> runLaunch(const Launch& launch, PreparedLaunch prepared, const RunOptions& options) {
  if (options.traced) {
    const Dim3& block = *options.traced;
    const Dim3& grid = launch.grid;
    if (block.x >= grid.x || block.y >= grid.y || block.z >= grid.z) {
      return Error{fmt::format("There is no block ({}, {}, {}) in a grid of {} x {} x {}.", block.x, block.y,
                               block.z, grid.x, grid.y, grid.z),
                   "Blocks count from 0."};
    }
  }
  return Running(launch, std::move(prepared), options).run();
}

Result<std::shared_ptr<const Trace>> makeTrace(const Launch& launch, Dim3 block, Turns turns) {
  RunOptions options{.traced = block, .turns = turns};
  options.hazards.reset();
  options.isWhole = false;
  const Result<Run> run = runLaunch(launch, options);
  if (!run) return run.error();
  if (run->untraced) return *run->untraced;
  return run->trace;
}

Result<Trace> recordTrace(const Launch& launch, Dim3 tracedBlock) {
  const auto trace = makeTrace(launch, tracedBlock);
  if (!trace) return trace.error();
  return Trace(**trace);
}

Result<HazardReport> findHazards(const Launch& launch, const HazardOptions& options) {
  RunOptions wanted{.hazards = options, .isWhole = false};
  Result<Run> run = runLaunch(launch, wanted);
  if (!run) return run.error();
  return std::move(*run->hazards);
}

}  // namespace lanescope
