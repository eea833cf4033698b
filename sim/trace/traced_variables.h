#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// Finds the function of each variable: fills in function and label of Trace::variables.
void nameVariables(Trace& trace);

/// The function around a place in the text: an index into Trace::functions; -1: the kernel's own text.
std::int32_t functionAt(const Trace& trace, SourceSpan position);

/// The variables that a thread can name after a step of its warp, as indices into Trace::variables: the
/// kernel's own, and those of functions that the warp has been in since the kernel's own text. If several in
/// one function have one name, the innermost; if a function is in the trace with several template arguments,
/// the variables that the thread set last. `step`: index of its warp's last one, -1: none yet.
std::vector<std::uint32_t> variablesInSight(const Trace& trace, std::uint32_t thread, std::int32_t step);

/// The variable that a name in a step's own text means, or nullopt.
std::optional<std::uint32_t> variableNamed(const Trace& trace, const Step& step, std::string_view name);

}  // namespace lanescope
