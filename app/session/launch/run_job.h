#pragma once

#include <memory>
#include <optional>

#include "app/session/base/newest_job.h"
#include "app/session/base/picture_planner.h"
#include "app/session/launch/kernel_cache.h"
#include "app/session/launch/result_check.h"
#include "sim/trace/run.h"

namespace lanescope {

/// A launch to be run with one block recorded, and hazards looked for.
struct RunRequest {
  Launch launch;
  Dim3 block;
  const Strategy* strategy = nullptr;  ///< whose result the whole launch is to leave; nullptr: nobody's
  PicturePlanner planner{};            ///< of the trace's pictures; nullptr: nobody plans
};

/// What came of it. It comes in parts where blocks are left to run once the trace is there, or a result is
/// left to be checked.
struct RunOutcome {
  std::shared_ptr<const Run> run;           ///< its buffers given up; nullptr: it could not begin
  std::optional<Error> error;               ///< why there is no whole trace
  std::optional<ResultCheck> result;        ///< of a strategy's launch that ran to its end
  std::shared_ptr<const PicturePlan> plan;  ///< where somebody plans pictures
};

using RunJob = NewestJob<RunRequest, RunOutcome>;

/// The work of a job that runs launches.
RunJob::PartWork runWork(std::shared_ptr<KernelCache> kernels);

}  // namespace lanescope
