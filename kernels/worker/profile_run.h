#pragma once

#include <string>
#include <vector>

#include "kernels/worker/ncu_process.h"
#include "kernels/worker/profile_messages.h"
#include "kernels/worker/protocol.h"
#include "sim/language/text/diagnostic.h"

namespace lanescope {

/// The strategy whose code, linked into the worker, such a request launches; nullptr: its text is compiled.
const Strategy* linkedStrategy(const ProfileRequest& request);

/// The name of the file with the text, beside a request's, so that Nsight Compute finds it: a strategy's own,
/// by which the worker's code knows its lines, else what `launch-once` gives NVRTC as the text's name.
std::string profiledFile(const ProfileRequest& request);

/// Profiles one launch: a single run of `ncu` (its clocks left alone) on `program launch-once FILE`, whose
/// report is then read twice, as source and as metrics. Everything is in a folder of its own, removed
/// afterwards. Where `stillWanted` says false, or after `limitSeconds` in all, ncu and all it started are
/// ended. Errors, one sentence each: no ncu, no permission (and how to give it), an ncu that lacks an option
/// or a section, a report that cannot be read, the launch's own.
Result<LaunchProfile> profileLaunch(const ProfileRequest& request, const std::string& program,
                                    const StillWanted& stillWanted, double limitSeconds = 120);

/// The profile as messages: the kernel's, then its lines and instructions in parts.
std::vector<WorkerMessage> messagesOf(const LaunchProfile& profile);

/// Takes one of those messages in; of lines and instructions the first kMaxProfileRows. One of another kind
/// or of another run changes nothing.
void addMessage(LaunchProfile& profile, const WorkerMessage& message);

}  // namespace lanescope
