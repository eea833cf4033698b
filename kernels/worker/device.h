#pragma once

#include "kernels/protocol/protocol.h"
#include "kernels/worker/stopwatch.h"

namespace lanescope {

/// The first CUDA device and its driver, for the hello message. Throws CudaFailure if there is no driver, no
/// device, or the driver is too old.
HelloMessage describeDevice();

/// Free device memory in bytes. Throws CudaFailure.
std::size_t freeDeviceMemory();

/// Measures the read ceiling: the median bandwidth of launchRead over a buffer far larger than L2, for
/// the best of a few grid sizes; and the time of an empty kernel. Throws CudaFailure.
CeilingMessage measureCeiling(Stopwatch& stopwatch, std::uint32_t sms);

}  // namespace lanescope
