#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sim/machine/run/prepare.h"
#include "sim/machine/run/run_control.h"
#include "sim/machine/run/simulate.h"
#include "sim/observe/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope {

class Observer;

/// What ended a run early.
struct RunFault {
  Fault fault;  ///< the access, where it was one
  Dim3 block;
  std::uint64_t thread = 0;  ///< linear index in the block
  std::uint32_t line = 0;    ///< of the source
  Error error;               ///< the sentence for it
};

/// A launch that ran once, and all that was observed on the way. A value that its users share.
struct Run {
  Launch launch;  ///< with its kernel compiled
  /// Of the block that was to be recorded; up to a fault, where one ended that block. nullptr: none was to
  /// be, or it passed its limit, or the run ended before it.
  std::shared_ptr<const Trace> trace;
  /// Why the trace is not whole.
  std::optional<Error> untraced;
  /// Where they were looked for. Each side of one knows its step of the trace.
  std::optional<HazardReport> hazards;
  std::optional<RunFault> fault;
  std::optional<RunFault> noted;  ///< what a GPU passes over (Launch::paddedTo)
  /// What the blocks that ran did and left.
  Simulation simulation;
  bool isWhole = false;  ///< every block ran to its end
};

/// What is asked of a run.
struct RunOptions {
  std::optional<Dim3> traced{};                            ///< the block to record
  std::optional<HazardOptions> hazards = HazardOptions{};  ///< nothing: they are not looked for
  /// False: only those blocks run that are recorded or looked at, and those before them.
  bool isWhole = true;
  /// Counters are of the first blocks alone, of as many as run about that many bytecode instructions.
  std::uint64_t countedInstructions = UINT64_MAX;
  unsigned threads = 0;          ///< host threads for the blocks that nobody looks at; 0: all cores
  Observer* listener = nullptr;  ///< hears the first block, too
  /// Where blocks are left to run once the trace is there, or cannot be: called with the run so far, without
  /// its Simulation.
  std::function<void(const Run&)> whenTraced{};
};

/// Runs a launch once, blocks in their order; what is asked for is observed on the way, the recorder's pauses
/// (Observer) holding for all. Errors: those of prepare(); a block to record that is not there. A fault of
/// the kernel is part of the run, and a hazard of its report.
Result<Run> runLaunch(const Launch& launch, const RunOptions& options = {});

/// The same of a launch that is prepared; error: a block to record that is not there.
Result<Run> runLaunch(const Launch& launch, PreparedLaunch prepared, const RunOptions& options = {});

/// The trace alone, nothing else being looked for. Errors: those of simulate(), and a trace past its limit.
Result<std::shared_ptr<const Trace>> traceOf(const Launch& launch, Dim3 block = {0, 0, 0});
/// A copy of it, to be changed.
Result<Trace> recordTrace(const Launch& launch, Dim3 tracedBlock = {0, 0, 0});

/// The hazards alone. Errors: those of prepare(). A fault of the kernel is a hazard of the report.
Result<HazardReport> findHazards(const Launch& launch, const HazardOptions& options = {});

}  // namespace lanescope
