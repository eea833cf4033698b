#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/machine/simulate.h"
#include "sim/trace/trace.h"

namespace lanescope::cli {

/// `lanescope.simulate/1`: kernel, machine, counters under Nsight Compute's names, outputs, hazards.
std::string simulationJson(const Launch& launch, const Simulation& simulation);
/// The same for a person: a table.
std::string simulationText(const Launch& launch, const Simulation& simulation);

/// `lanescope.trace/1`: a phase an entry: label, active threads, every shared word when it ends. With
/// `symbolic` a word is what it was made of (`a0+a1`), else its number; null where nothing was stored.
/// Where threads hold values in registers, `values` has one entry a thread.
std::string traceJson(const Trace& trace, bool symbolic);
std::string traceText(const Trace& trace, bool symbolic);

/// `lanescope.strategies/1`.
std::string strategiesJson();
std::string strategiesText();

}  // namespace lanescope::cli
