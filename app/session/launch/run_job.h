#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/session/base/newest_job.h"
#include "app/session/launch/kernel_cache.h"
#include "app/session/launch/launch_form.h"
#include "app/session/launch/result_check.h"
#include "app/session/launch/selection.h"
#include "sim/trace/run.h"

namespace lanescope {

struct PicturePlan;  // app/scene/base/picture_plan.h: pictures need sessions

/// Plans the pictures of a trace, in the thread that has recorded it.
using PicturePlanner = std::function<std::shared_ptr<const PicturePlan>(const Trace&)>;

/// A launch to be run with one block recorded, and hazards looked for.
struct RunRequest {
  Selection selection;               ///< what is run, and which block is recorded
  std::optional<LaunchForm> form{};  ///< that makes the launch; nothing: a strategy's own over N
  Launch launch{};                   ///< with the text
  bool isWhole = true;               ///< all blocks run, and a strategy's result is checked
  PicturePlanner planner{};          ///< of the trace's pictures; nullptr: nobody plans
};

/// What was asked for and what came of it: the one value for which text and launch ran. It comes in parts
/// where blocks are left to run once the trace is there, or a result is left to be checked.
struct RunOutcome {
  RunRequest asked;
  std::shared_ptr<const Run> run{};     ///< its buffers given up; nullptr: it could not begin, or not yet
  std::optional<Error> error{};         ///< why there is no whole trace
  std::optional<ResultCheck> result{};  ///< of a strategy's launch that ran to its end
  std::shared_ptr<const PicturePlan> plan{};  ///< where somebody plans pictures
  TextFacts facts{};                          ///< of a strategy's text

  /// The launch, with its kernel compiled once it ran.
  const Launch& launch() const { return run != nullptr ? run->launch : asked.launch; }
  const SourceText& text() const { return *asked.launch.source; }
  bool isOver() const { return run != nullptr || error; }
  /// Whether there is something to walk: the block, or what it did up to a fault.
  bool walks() const { return run != nullptr && run->trace != nullptr; }
};
using RunOutcomePtr = std::shared_ptr<const RunOutcome>;

using RunJob = NewestJob<RunRequest, RunOutcome>;

/// The work of a job that runs launches.
RunJob::PartWork runWork(std::shared_ptr<KernelCache> kernels);

}  // namespace lanescope
