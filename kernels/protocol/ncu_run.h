#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "kernels/protocol/tool_process.h"
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

/// Reads the counters of one launch: runs `ncu` (its clocks left alone) on `program launch-once FILE`, FILE
/// being the request in a folder of its own, removed afterwards. If `stillWanted` returns false, or after
/// `limitSeconds`, ncu and its child processes are ended. Errors, one sentence each: no ncu, no permission
/// (and how to get it), the launch's own.
Result<CountersMessage> readLaunchCounters(const CountersRequest& request, const std::string& program,
                                           const StillWanted& stillWanted, double limitSeconds = 120);

/// The strategy whose linked code such a request launches; nullptr: its text is compiled.
const Strategy* linkedStrategy(const ProfileRequest& request);

/// The name of the file with the text, beside a request's, so that Nsight Compute finds it: a strategy's own,
/// to which the line numbers of the worker's code refer, else the text's name that `launch-once` passes to
/// NVRTC.
std::string profiledFile(const ProfileRequest& request);

/// Profiles one launch: a single run of `ncu` (its clocks left alone) on `program launch-once FILE`; its
/// report is then read twice, as source and as metrics. Everything is in a folder of its own, removed
/// afterwards. If `stillWanted` returns false, or after `limitSeconds` in all, ncu and its child processes
/// are ended. Errors, one sentence each: no ncu, no permission (and how to get it), an ncu that lacks an
/// option or a section, a report that cannot be read, the launch's own.
Result<LaunchProfile> profileLaunch(const ProfileRequest& request, const std::string& program,
                                    const StillWanted& stillWanted, double limitSeconds = 120);

/// The profile as messages: the kernel's, then its lines and instructions in parts.
std::vector<WorkerMessage> makeMessages(const LaunchProfile& profile);

/// Adds one of those messages; of lines and instructions only the first kMaxProfileRows. Ignores a message of
/// another kind or of another run.
void addMessage(LaunchProfile& profile, const WorkerMessage& message);

}  // namespace lanescope
