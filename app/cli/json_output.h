#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/machine/simulate.h"
#include "sim/observe/hazards.h"
#include "sim/trace/trace.h"

namespace lanescope::cli {

/// `lanescope.simulate/1`: kernel, machine, counters under Nsight Compute's names, outputs, hazards
/// (null: not looked for).
std::string simulationJson(const Launch& launch, const Simulation& simulation, const HazardReport* hazards);
/// The same for a person: a table, and the hazards in sentences.
std::string simulationText(const Launch& launch, const Simulation& simulation, const HazardReport* hazards);
/// `lanescope.simulate/1` of a launch that failed: `error`, the sentence; no counters and no outputs.
std::string failureJson(const Launch& launch, const Error& error, const HazardReport& hazards);

/// `lanescope.trace/1`: a phase an entry: label, active threads, every shared word when it ends. With
/// `symbolic` a word is what it was made of (`a0+a1`), else its number; null where nothing was stored.
/// Where threads hold values in registers, `values` has one entry a thread.
std::string traceJson(const Trace& trace, bool symbolic);
std::string traceText(const Trace& trace, bool symbolic);

/// `lanescope.strategies/1`.
std::string strategiesJson();
std::string strategiesText();

}  // namespace lanescope::cli
