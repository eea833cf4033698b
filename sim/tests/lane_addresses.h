#pragma once

#include <array>
#include <cstdint>

#include "sim/memory/access_costs.h"

/// What the lanes of a warp ask for, and its cost by NVIDIA's rules of today.
namespace lanescope::testing {

using Addresses = std::array<std::uint32_t, kMaxLanes>;

/// Lane l asks for the byte address f(l).
template <class F>
Addresses computeAddresses(F f) {
  Addresses addresses;
  for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) addresses[lane] = f(lane);
  return addresses;
}

inline const MachineModel& nvidia() { return machinePresets()[0]; }

inline SharedCost cost(const Addresses& addresses, unsigned bytes, AccessKind kind = AccessKind::Load,
                       std::uint32_t mask = ~0u) {
  return sharedCost(nvidia(), {addresses, mask, bytes, kind});
}

}  // namespace lanescope::testing
