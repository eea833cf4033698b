#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/edited_messages.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// The metrics for Nsight Compute, separated by commas: those of `sim/memory/counters.def`. Counters of one
/// opcode, such as `sass__inst_executed_per_opcode.BAR`, are parts of one metric.
std::string ncuMetrics();

/// Reads the output of `ncu --csv --page details --print-metric-instances details` for one launch. A metric
/// with n/a has no value. The error is one sentence: no kernel was profiled, or the output has another form;
/// see also ncuProblem.
Result<std::vector<MeasuredCounter>> parseNcuCsv(std::string_view output);

/// One sentence, with advice, if `output` reports that counters may not be read or that Nsight Compute failed
/// otherwise; else empty.
std::string ncuProblem(std::string_view output);

}  // namespace lanescope
