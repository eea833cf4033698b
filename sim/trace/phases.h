#pragma once

#include "sim/trace/trace.h"

namespace lanescope {

/// Fills in the properties of a phase from its steps [firstStep, endStep): kind, label, step size, threads,
/// cells, arrows, counters. `lastValue` is, by thread, the last value from the input that one of its
/// variables got.
void describePhase(Trace& trace, std::size_t phase, const std::vector<ProvenanceId>& lastValue);

}  // namespace lanescope
