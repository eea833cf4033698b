#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// By phase, the variable that a row of registers shows, as an index into Trace::variables: the one whose
/// values lanes hand on by shuffles. While a phase without a shuffle makes that value in another variable,
/// and a call hands it over at the end, it is that other one. Nothing for a phase that leaves it alone; empty
/// where lanes hand on nothing that is made of the input.
std::vector<std::optional<std::uint32_t>> variablesOfRows(const Trace& trace);

}  // namespace lanescope
