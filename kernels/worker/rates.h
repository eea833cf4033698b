#pragma once

#include <functional>

#include "kernels/protocol/protocol.h"
#include "kernels/worker/stopwatch.h"

namespace lanescope {

/// Measures the work that each unit of the GPU can do per microsecond, with kernels that keep only it busy
/// (rate_kernels.h), and calls `emit` with each rate when it is known; stops if that returns false. Takes a
/// few seconds. Throws CudaFailure.
void measureRates(Stopwatch& stopwatch, const HelloMessage& gpu,
                  const std::function<bool(const RateMessage&)>& emit);

}  // namespace lanescope
