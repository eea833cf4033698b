#pragma once

#include <cstdint>
#include <span>

namespace lanescope {

/// Different addresses that the active lanes of one warp instruction read in constant memory: 1 is a
/// broadcast, several are serialized (CUDA Programming Guide, "Constant Memory"). `addresses` has one entry
/// per lane.
std::uint32_t constantAddresses(std::span<const std::uint64_t> addresses, std::uint32_t mask);

}  // namespace lanescope
