#pragma once

#include <cstdint>
#include <span>

#include "sim/memory/machine_model.h"

namespace lanescope {

/// Sectors of one warp instruction on global memory: units of `sectorBytes` that are moved for the active
/// lanes' accesses of `bytes` each. `addresses` has one entry per lane.
///
/// Sectors: the different, aligned segments that the accesses touch (CUDA Programming Guide, "Device Memory
/// Accesses"; measured on an NVIDIA H200).
///
/// InOrderOrOneByOne, compute capability 1.0 and 1.1 (CUDA C Programming Guide 4.2, G.3.2.1): half-warps are
/// serialized. If words are of 4, 8 or 16 bytes and lane k of the half is at word k from an aligned segment's
/// start (64 bytes, 128, and two of 128), the whole segment is moved, even if lanes are inactive. Otherwise
/// each active lane's access is a separate transfer of 32 bytes.
std::uint32_t globalSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                            std::uint32_t mask, unsigned bytes);

/// Sectors of one warp instruction that is a reduction on global memory: for each sector touched, as many
/// wavefronts as the most lanes that access one word of `bytes` in it. Measured on an NVIDIA H200, and
/// applied on every machine (compute capability 1.0 has no atomics).
std::uint32_t reductionSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                               std::uint32_t mask, unsigned bytes);

}  // namespace lanescope
