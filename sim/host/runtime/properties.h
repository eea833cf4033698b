#pragma once

#include <cstdint>

#include "sim/host/include/lanescope_api.h"
#include "sim/memory/occupancy.h"

namespace lanescope::host {

/// Limits of an SM of the simulated device, by which occupancy is computed.
const SmLimits& deviceSmLimits();

/// The properties that the simulated device reports: those of an NVIDIA H200, which the machine `nvidia` was
/// measured on. `memoryBytes`: its memory.
cudaDeviceProp deviceProperties(std::uint64_t memoryBytes);
/// A property by number; 0 if the device does not have it.
int findAttribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute);

/// Memory of an NVIDIA H200, in bytes.
inline constexpr std::uint64_t kDeviceMemoryBytes = 150'109'880'320;

}  // namespace lanescope::host
