#pragma once

#include <string>
#include <vector>

#include "kernels/protocol/ncu_process.h"
#include "kernels/protocol/profile_messages.h"
#include "kernels/protocol/protocol.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

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
