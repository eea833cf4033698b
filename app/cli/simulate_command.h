#pragma once

#include <string>

#include "app/analysis/report.h"
#include "app/workbench/result_check.h"
#include "sim/machine/run/launch.h"
#include "sim/trace/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope::cli {

/// True if any of them is an error; a warning does not count. False if the check was switched off.
bool hasErrors(const HazardReport* report);
/// The hazards besides the error that ended a launch; empty if there are none.
std::string moreHazardsText(const HazardReport& report, const Error& error);

/// `lanescope.simulate/1`: kernel, machine, counters under Nsight Compute's names, outputs, the check of the
/// result (nullptr if no result is expected), hazards (nullptr if the check was switched off).
Report describe(const Launch& launch, const Simulation& simulation, const ResultCheck* result,
                const HazardReport* hazards);
/// The same of a launch that failed: `error`, the sentence; no counters and no outputs.
Report describeFailure(const Launch& launch, const Error& error, const HazardReport& hazards);

/// The content of traceJson(), as text.
std::string traceText(const Trace& trace, bool symbolic);

/// `lanescope.strategies/1`.
Report listStrategies();

}  // namespace lanescope::cli
