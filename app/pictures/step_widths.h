#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/analysis/cost.h"
#include "sim/trace/trace.h"

namespace lanescope {

/// What makes the width of a step in the timeline. Cycles of a model can be another one.
enum class StepWidth : std::uint8_t {
  Equal,         ///< all steps have one width
  Instructions,  ///< machine instructions
  Time,          ///< measured time
};
inline constexpr std::size_t kStepWidths = 3;

/// As a choice and in files: `equal steps`, `by instructions`, `by time`.
std::string_view stepWidthName(StepWidth width);
/// The one of that name; Equal if there is none.
StepWidth findStepWidth(std::string_view name);

/// The place at which each step begins, and at the end where the last one ends, from 0 to 1: by
/// Cursor::steps. A line's amount is divided among all its steps evenly. Empty if no step's line has any.
std::vector<double> computeReach(const Trace& trace, const LineAmounts& amounts);

}  // namespace lanescope
