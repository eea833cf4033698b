#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// By phase, the variable that a row of registers shows, as an index into Trace::variables: the one with the
/// values that lanes exchange by shuffles. If a phase without a shuffle makes that value in another variable,
/// and a call passes it on at the end, it is that other one. Not set for a phase that leaves it alone; the
/// list is empty if lanes exchange nothing that depends on the input.
std::vector<std::optional<std::uint32_t>> variablesOfRows(const Trace& trace);

}  // namespace lanescope
