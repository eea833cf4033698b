#pragma once

#include <string>

#include "kernels/protocol/edited_messages.h"
#include "kernels/protocol/ncu_process.h"
#include "sim/base/diagnostic.h"

namespace lanescope {

/// Reads the counters of one launch: runs `ncu` (its clocks left alone) on `program launch-once FILE`, FILE
/// being the request in a folder of its own, removed afterwards. If `stillWanted` returns false, or after
/// `limitSeconds`, ncu and its child processes are ended. Errors, one sentence each: no ncu, no permission
/// (and how to get it), the launch's own.
Result<CountersMessage> readLaunchCounters(const CountersRequest& request, const std::string& program,
                                           const StillWanted& stillWanted, double limitSeconds = 120);

}  // namespace lanescope
