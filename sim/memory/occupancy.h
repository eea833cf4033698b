#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope {

/// The limits of a streaming multiprocessor (SM) of a compute capability.
struct SmLimits {
  std::string_view capability;  ///< `9.0`
  std::uint32_t threads = 0;    ///< warps of 32
  std::uint32_t blocks = 0;
  std::uint32_t registers = 0;          ///< of 32 bits
  std::uint32_t sharedBytes = 0;        ///< the largest share of the L1 cache's memory
  std::uint32_t reservedBytes = 0;      ///< of shared memory, which every block uses besides its own
  std::uint32_t sharedGranule = 0;      ///< bytes: shared memory is allocated in multiples
  std::uint32_t registerGranule = 256;  ///< registers, per warp
  std::uint32_t partitions = 4;         ///< that share the registers evenly; a warp's are all in one
};

/// The limits of that compute capability (`9.0`; from 7.0 on), or nullptr. CUDA C++ Programming Guide 13.0,
/// "Compute Capabilities": technical specifications; granules as in CUDA 13.0's cuda_occupancy.h.
const SmLimits* findSmLimits(std::string_view capability);

/// The resources that a block needs from an SM.
struct BlockDemand {
  std::uint64_t threads = 1;
  std::uint64_t sharedBytes = 0;             ///< static and dynamic
  std::optional<std::uint32_t> registers{};  ///< per thread; empty if unknown
};

/// The most blocks by each limit. 0: not even one fits.
struct Occupancy {
  std::uint64_t byThreads = 0;
  std::uint64_t byBlocks = 0;
  std::optional<std::uint64_t> byShared{};     ///< empty: the block takes no shared memory
  std::optional<std::uint64_t> byRegisters{};  ///< empty if the block's registers are unknown

  /// Blocks on an SM at once.
  std::uint64_t blocks() const {
    const std::uint64_t least = std::min(byThreads, byBlocks);
    return std::min({least, byShared.value_or(least), byRegisters.value_or(least)});
  }
};

/// The documented rule, not a measurement: threads count as whole warps of 32, registers are allocated per
/// warp, shared memory per block. An SM whose other limits leave room holds that many blocks at most.
Occupancy computeOccupancy(const BlockDemand& block, const SmLimits& limits);

}  // namespace lanescope
