#pragma once

#include <cstdint>

/// The limits of a launch: compute capability 9.0, CUDA Programming Guide, "Features and Technical
/// Specifications".
namespace lanescope {

inline constexpr std::uint32_t kMaxBlockThreads = 1024;
inline constexpr std::uint32_t kMaxBlockZ = 64;
inline constexpr std::uint64_t kMaxGridX = 0x7fffffff;
inline constexpr std::uint64_t kMaxGridYZ = 65535;
inline constexpr std::uint64_t kMaxSharedBytes = 227 * 1024;  ///< per block

inline constexpr const char* kBlockLimitsText = "A block has 1 to 1,024 threads, at most 64 deep.";

}  // namespace lanescope
