#pragma once

#include <string>

#include "app/workbench/result_check.h"
#include "sim/machine/run/simulate.h"
#include "sim/trace/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope::cli {

/// `lanescope.simulate/1`: kernel, machine, counters under Nsight Compute's names, outputs, the check of the
/// result (nullptr if no result is expected), hazards (nullptr if the check was switched off).
std::string simulationJson(const Launch& launch, const Simulation& simulation, const ResultCheck* result,
                           const HazardReport* hazards);
/// The same as text: a table, and the result and the hazards in sentences.
std::string simulationText(const Launch& launch, const Simulation& simulation, const ResultCheck* result,
                           const HazardReport* hazards);
/// `lanescope.simulate/1` of a launch that failed: `error`, the sentence; no counters and no outputs.
std::string failureJson(const Launch& launch, const Error& error, const HazardReport& hazards);

/// The content of traceJson(), as text.
std::string traceText(const Trace& trace, bool symbolic);

/// `lanescope.strategies/1`.
std::string strategiesJson();
std::string strategiesText();

}  // namespace lanescope::cli
