#include "app/session/trace_runner.h"

#include <exception>
#include <utility>

#include "app/session/give_back_memory.h"

namespace lanescope {
namespace {

/// recordTrace, with whatever it may throw (memory, above all) as an Error.
TraceOutcome record(const Launch& launch, Dim3 block, Races races, const PicturePlanner& planner) {
  try {
    Result<Trace> trace = recordTrace(launch, block);
    if (!trace) return trace.error();
    RecordedRun run;
    run.trace = std::make_shared<Trace>(std::move(trace).value());
    if (Result<HazardReport> hazards = findHazards(launch)) run.hazards = std::move(hazards).value();
    if (races == Races::Found) run.races = std::make_shared<RacePlaces>(*run.trace, run.hazards);
    if (planner) run.plan = planner(*run.trace);
    return run;
  } catch (const std::exception& failure) {
    return Error{std::string("The simulation ended early: ") + failure.what() + ".", "", {}};
  }
}

}  // namespace

TraceRunner::TraceRunner(std::function<void()> finished, Races races)
    : finished_(std::move(finished)),
      races_(races),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

TraceRunner::~TraceRunner() {
  cancel();
  thread_.request_stop();
}

void TraceRunner::setPlanner(PicturePlanner planner) {
  const std::scoped_lock lock(mutex_);
  planner_ = std::move(planner);
}

void TraceRunner::request(Launch launch, Dim3 block) {
  const std::scoped_lock lock(mutex_);
  running_.request_stop();
  waiting_ = Wanted{std::move(launch), block, planner_};
  outcome_.reset();
  busy_ = true;
  wanted_.notify_one();
}

void TraceRunner::cancel() {
  const std::scoped_lock lock(mutex_);
  running_.request_stop();
  waiting_.reset();
  outcome_.reset();
  busy_ = false;
}

std::optional<TraceOutcome> TraceRunner::take() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

bool TraceRunner::busy() const {
  const std::scoped_lock lock(mutex_);
  return busy_;
}

void TraceRunner::work(const std::stop_token& stop) {
  while (true) {
    Wanted wanted;
    std::stop_source mine;
    {
      std::unique_lock lock(mutex_);
      if (!wanted_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
      wanted = std::move(*waiting_);
      waiting_.reset();
      running_ = mine;
    }
    wanted.launch.stop = mine.get_token();
    TraceOutcome outcome = record(wanted.launch, wanted.block, races_, wanted.planner);
    giveBackMemory();
    {
      const std::scoped_lock lock(mutex_);
      if (mine.stop_requested()) continue;
      outcome_ = std::move(outcome);
      busy_ = false;
    }
    if (finished_) finished_();
  }
}

}  // namespace lanescope
