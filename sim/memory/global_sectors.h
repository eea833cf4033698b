#pragma once

#include <cstdint>
#include <span>

#include "sim/machine/machine_model.h"

namespace lanescope {

/// Sectors of one warp instruction on global memory: the different `sectorBytes`-long, aligned
/// segments that the active lanes' accesses of `bytes` each touch. `addresses` has one entry a lane.
/// Rule: CUDA Programming Guide, "Device Memory Accesses"; measured on an NVIDIA H200.
std::uint32_t globalSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                            std::uint32_t mask, unsigned bytes);

/// Sectors of one warp instruction that is a reduction on global memory: for each sector touched, as
/// many passes as the most lanes that hit one word of `bytes` in it. Measured on an NVIDIA H200.
std::uint32_t reductionSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                               std::uint32_t mask, unsigned bytes);

}  // namespace lanescope
