#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "app/base/newest_job.h"
#include "app/launch/kernel_cache.h"
#include "app/launch/launch_form.h"
#include "app/workbench/result_check.h"
#include "kernels/strategies/catalogue.h"
#include "sim/memory/machine_model.h"
#include "sim/trace/run.h"

namespace lanescope {

/// The run to step through: one block of a strategy over `n` elements, or of a file's kernel, on a machine.
struct Selection {
  const Strategy* strategy = nullptr;
  std::uint64_t n = 8;
  const MachineModel* machine = nullptr;
  std::uint64_t blocks = 1;    ///< that share the elements
  std::uint32_t block = 0;     ///< the one that is traced
  std::uint32_t document = 0;  ///< a file that the editor has opened, from 1; 0: the strategy's text
  std::uint64_t edition = 0;   ///< another number, another text or launch form; the editor sets it
  bool operator==(const Selection&) const = default;
};

struct PicturePlan;  // app/pictures/picture_plan.h: pictures need sessions

/// Plans the pictures of a trace, in the thread that has recorded it.
using PicturePlanner = std::function<std::shared_ptr<const PicturePlan>(const Trace&)>;

/// A launch to be run with one block recorded and a search for hazards.
struct RunRequest {
  Selection selection;               ///< the launch to run, and the block to record
  std::optional<LaunchForm> form{};  ///< makes the launch; nullopt: a strategy's own over N
  Launch launch{};                   ///< with the text
  bool isWhole = true;               ///< all blocks run, and a strategy's result is checked
  PicturePlanner planner{};          ///< of the trace's pictures; nullptr: they are not planned
};

/// A request and its outcome: the one value that says which text and launch ran. It comes in parts if blocks
/// are left to run once the trace is there, or a result is left to be checked.
struct RunOutcome {
  RunRequest asked;
  std::shared_ptr<const Run> run{};     ///< without its buffers; nullptr: it could not begin, or not yet
  std::optional<Error> error{};         ///< why there is no whole trace
  std::optional<ResultCheck> result{};  ///< set only for a strategy's launch that has finished
  std::shared_ptr<const PicturePlan> plan{};  ///< if there is a planner
  TextFacts facts{};                          ///< of a strategy's text

  /// The launch, with its kernel compiled once it ran.
  const Launch& launch() const { return run != nullptr ? run->launch : asked.launch; }
  const SourceText& text() const { return *asked.launch.source; }
  /// True for a file's kernel with the form's arguments, which its program never passed.
  bool hasInventedData() const {
    return asked.selection.document != 0 && asked.form && asked.form->captured == nullptr;
  }
  bool isOver() const { return run != nullptr || error; }
  /// True if there is something to walk: the block, or its steps up to a fault.
  bool hasTrace() const { return run != nullptr && run->trace != nullptr; }
};
/// The counters of the whole launch; nullptr if not all of its blocks have run and were counted.
const Counters* launchCounters(const RunOutcome& outcome);
using RunOutcomePtr = std::shared_ptr<const RunOutcome>;

using RunJob = NewestJob<RunRequest, RunOutcome>;

/// The work of a job that runs launches.
RunJob::PartWork runWork(std::shared_ptr<KernelCache> kernels);

}  // namespace lanescope
