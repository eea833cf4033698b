#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/worker/edited_messages.h"
#include "sim/language/text/diagnostic.h"

namespace lanescope {

/// The metrics to ask Nsight Compute for, separated by commas: those of `sim/memory/counters.def`. Counters
/// of one opcode, such as `sass__inst_executed_per_opcode.BAR`, are parts of one metric.
std::string ncuMetrics();

/// Reads what `ncu --csv --page details --print-metric-instances details` wrote about one launch. A metric
/// that it calls n/a has no value. The error is one sentence: no kernel was profiled, or this is no such
/// output; see also ncuProblem.
Result<std::vector<MeasuredCounter>> parseNcuCsv(std::string_view output);

/// One sentence, with the way out, where `output` says that counters may not be read or that something
/// else stood in Nsight Compute's way; empty where it says nothing of the kind.
std::string ncuProblem(std::string_view output);

}  // namespace lanescope
