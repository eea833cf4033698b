#pragma once

#include <string>

#include "app/workbench/result_check.h"
#include "sim/base/json.h"
#include "sim/machine/run/launch.h"
#include "sim/trace/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope::cli {

Json extentJson(Dim3 extent);

/// Adds `hazards`, one entry per hazard, and `hazards_looked_at`: the part of the launch that was checked. If
/// `report` is null, the check was switched off, and both fields say so.
void addHazards(Json& json, const HazardReport* report);

/// The same in sentences; a clean report is one sentence too.
std::string hazardsText(const HazardReport* report);
/// True if any of them is an error; a warning does not count. False if the check was switched off.
bool hasErrors(const HazardReport* report);
/// One sentence: the result is right or not. Empty if no result is expected.
std::string resultText(const ResultCheck* result, const HazardReport* hazards);
/// The hazards besides the error that ended a launch; empty if there are none.
std::string moreHazardsText(const HazardReport& report, const Error& error);

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
