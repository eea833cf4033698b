#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/strategies/catalogue.h"
#include "kernels/worker/protocol.h"

/// What a benchmark may be asked for: pure rules, shared by the worker and by whoever asks it.
namespace lanescope {

inline constexpr std::uint32_t kWarpThreads = 32;                     ///< of every NVIDIA GPU so far
inline constexpr std::uint32_t kMinBenchBlock = 32;                   ///< a warp
inline constexpr std::uint32_t kMaxBenchBlock = 1024;                 ///< CUDA's own limit
inline constexpr std::uint64_t kMaxBenchN = std::uint64_t{1} << 31U;  ///< kernels index with 32 bits

/// The strategies that a request asks for, in its order (all of them where it names none), or one
/// sentence that says what is wrong with it: an unknown strategy, a block that is no power of two
/// from 32 to 1024, an N that the blocks do not divide, neither cold nor warm.
Result<std::vector<const Strategy*>> strategiesOf(const BenchRequest& request);

/// A size as a person writes it: `16777216` or `2^24`. The error says so in one sentence.
Result<std::uint64_t> parseSize(std::string_view text);

/// `2^24` for a power of two from 1024 up, else the digits.
std::string sizeText(std::uint64_t n);

/// Bytes of memory for a person: `8.6 GB`, `512 MB`.
std::string bytesText(std::uint64_t bytes);

/// Floats that a block of the strategy reduces.
std::uint64_t elementsPerBlock(const Strategy& strategy, std::uint32_t block);

/// Bytes that one launch must move: N floats read, one written for each block.
std::uint64_t bytesMoved(const Strategy& strategy, std::uint64_t n, std::uint32_t block);

/// Effective bandwidth in 10^9 bytes a second.
double gigabytesPerSecond(std::uint64_t bytes, double microseconds);

}  // namespace lanescope
