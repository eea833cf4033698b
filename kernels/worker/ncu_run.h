#pragma once

#include <functional>
#include <string>

#include "kernels/worker/edited_messages.h"
#include "sim/language/text/diagnostic.h"

namespace lanescope {

/// The path of `ncu`: on the PATH, under CUDA_HOME, CUDA_PATH or /usr/local/cuda, or the newest in
/// /opt/nvidia/nsight-compute. The error says in one sentence how to get it.
Result<std::string> findNcu();

/// Reads the counters of one launch: runs `ncu` (its clocks left alone) on `program launch-once FILE`, FILE
/// being the request in a folder of its own, removed afterwards. `stillWanted` is asked a few times per
/// second with the seconds gone by; where it says false, or after `limitSeconds`, ncu and all it started are
/// ended. Errors, one sentence each: no ncu, no permission (and how to give it), the launch's own.
Result<CountersMessage> readLaunchCounters(const CountersRequest& request, const std::string& program,
                                           const std::function<bool(double seconds)>& stillWanted,
                                           double limitSeconds = 120);

}  // namespace lanescope
