#pragma once

#include <functional>

#include "kernels/worker/protocol.h"
#include "kernels/worker/stopwatch.h"

namespace lanescope {

/// Measures how much each unit of the GPU can do per microsecond, by kernels that keep it alone busy
/// (rate_kernels.h), and has `emit` take each rate as it comes up; where that returns false, it ends. Takes a
/// few seconds. Throws CudaFailure.
void measureRates(Stopwatch& stopwatch, const HelloMessage& gpu,
                  const std::function<bool(const RateMessage&)>& emit);

}  // namespace lanescope
