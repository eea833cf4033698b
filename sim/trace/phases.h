#pragma once

#include "sim/trace/trace.h"

namespace lanescope {

/// Fills in what the steps of a phase [firstStep, endStep) say about it: kind, label, step size,
/// threads, cells, arrows, counters. `lastValue` is, by thread, the last value from the input that one of its
/// variables got.
void describePhase(Trace& trace, std::size_t phase, const std::vector<ProvenanceId>& lastValue);

}  // namespace lanescope
