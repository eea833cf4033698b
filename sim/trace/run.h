#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sim/machine/run/launch.h"
#include "sim/machine/run/observer.h"
#include "sim/machine/run/prepare.h"
#include "sim/machine/run/warp_state.h"
#include "sim/trace/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// The fault that ended a run early.
struct RunFault {
  Fault fault;  ///< the access, if it was one
  Dim3 block;
  std::uint64_t thread = 0;  ///< linear index in the block
  std::uint32_t line = 0;    ///< in the source
  Error error;               ///< the sentence for it
};

/// A launch that ran once, and everything observed in it. A value that its users share.
struct Run {
  Launch launch;  ///< with its kernel compiled
  /// The trace of the block to record; up to a fault, if one ended that block. nullptr: none was requested,
  /// or it passed its limit, or the run ended before it.
  std::shared_ptr<const Trace> trace;
  /// The reason the trace is not whole.
  std::optional<Error> untraced;
  /// Set if the run looked for hazards. Each side of one has its step of the trace.
  std::optional<HazardReport> hazards;
  std::optional<RunFault> fault;
  std::optional<RunFault> tolerated;  ///< the fault that a GPU passes over (Launch::paddedTo)
  /// Uses of bytes that were never written (PreparedLaunch::watched), one for each place in the text, each
  /// with its address.
  std::vector<std::pair<Hazard, std::uint64_t>> unwritten{};
  /// The results of the blocks that ran.
  Simulation simulation;
  bool isWhole = false;  ///< every block ran to its end
};

/// The options of a run.
struct RunOptions {
  std::optional<Dim3> traced{};                            ///< the block to record
  std::optional<HazardOptions> hazards = HazardOptions{};  ///< nullopt: no search for hazards
  Turns turns = Turns::UntilItWaits;                       ///< of the warps in observed blocks
  /// False: only the recorded and observed blocks run, and the blocks before them.
  bool isWhole = true;
  /// Counters cover only the first blocks, as many as run about that many bytecode instructions.
  std::uint64_t countedInstructions = UINT64_MAX;
  unsigned threads = 0;          ///< host threads for the unobserved blocks; 0: all cores
  Observer* listener = nullptr;  ///< notified of the first block, too
  /// Called once the trace is ready or has failed, if blocks are left to run: with the run so far, without
  /// its Simulation.
  std::function<void(const Run&)> whenTraced{};
};

/// Runs a launch once, blocks in their order; the requested observers run on the way, and the recorder's
/// pauses (Observer) apply to all of them. Errors: all of prepare(); a block to record that does not exist. A
/// fault of the kernel is part of the run, and a hazard of its report.
Result<Run> runLaunch(const Launch& launch, const RunOptions& options = {});

/// runLaunch() for a launch that is prepared; error: a block to record that does not exist.
Result<Run> runLaunch(const Launch& launch, PreparedLaunch prepared, const RunOptions& options = {});

/// The trace alone, without hazards. Errors: all of simulate(), and a trace past its limit.
Result<std::shared_ptr<const Trace>> makeTrace(const Launch& launch, Dim3 block = {0, 0, 0},
                                               Turns turns = Turns::UntilItWaits);
/// A copy of the trace that the caller may change.
Result<Trace> recordTrace(const Launch& launch, Dim3 tracedBlock = {0, 0, 0});

/// The hazards alone. Errors: all of prepare(). A fault of the kernel is a hazard of the report.
Result<HazardReport> findHazards(const Launch& launch, const HazardOptions& options = {});

}  // namespace lanescope
