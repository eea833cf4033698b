#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/strategies/variant.h"
#include "kernels/protocol/protocol.h"

/// The valid requests for a benchmark: pure rules, shared by the worker and its clients.
namespace lanescope {

inline constexpr std::uint32_t kWarpThreads = 32;                     ///< of every NVIDIA GPU so far
inline constexpr std::uint32_t kMinBenchBlock = 32;                   ///< one warp
inline constexpr std::uint32_t kMaxBenchBlock = kMaxBlockThreads;     ///< CUDA's own limit
inline constexpr std::uint64_t kMaxBenchBlocks = kMaxGridX;           ///< CUDA's own limit, of a grid
inline constexpr std::uint64_t kMaxBenchN = std::uint64_t{1} << 31U;  ///< kernels index with 32 bits

/// The id of CUB's DeviceReduce, timed beside the strategies if whole reductions are timed.
inline constexpr std::string_view kCubId = "cub";

/// One of the kernels that a run times.
struct Contender {
  std::string id;
  const Strategy* strategy = nullptr;  ///< nullptr for CUB
  std::uint64_t blocks = 0;            ///< requested number; 0: it keeps its own grid
  /// For an experiment's kernel: its text and launch, which include `strategy`.
  std::shared_ptr<const Variant> variant{};
};

/// The contenders that a request times, in its order, or one sentence about its error: an unknown strategy, a
/// block that is not a power of two from 32 to 1024, an N that the blocks do not divide, a type of element
/// that a strategy does not support, neither cold nor warm, a number of blocks that none of them takes or
/// that is impossible for one of them. A request without names gets every reduction that its N, type and
/// scope allow and that is not wrong by design, and CUB if whole reductions are timed.
Result<std::vector<Contender>> makeContenders(const BenchRequest& request);

/// True if a strategy is timed at that N: the slowest are timed only at small ones.
bool isTimedAt(const Strategy& strategy, std::uint64_t n);

/// The launches of a contender's timed work, `sms` being the number of the GPU's multiprocessors: one for
/// Scope::Kernel, as many as one value takes for Scope::Full. The strategy must not be nullptr.
Result<std::vector<StrategyShape>> makeLaunches(const Strategy& strategy, const BenchRequest& request,
                                                std::uint32_t sms);

/// As above for a contender that is not CUB; an experiment's kernel has a launch of its own.
Result<std::vector<StrategyShape>> makeLaunches(const Contender& contender, const BenchRequest& request,
                                                std::uint32_t sms);

/// A size as users write it: `16777216` or `2^24`. The error explains that in one sentence.
Result<std::uint64_t> parseSize(std::string_view text);

/// Bytes of memory as text: `8.6 GB`, `512 MB`.
std::string bytesText(std::uint64_t bytes);

/// Bytes that the work must move: for a single kernel its input and its results in `out`; for a whole
/// reduction n elements and one. `out`: number of results.
std::uint64_t bytesMoved(const Strategy* strategy, Scope scope, std::uint64_t n, std::uint64_t out,
                         ElementType type);

/// True if the contender of that id has no input, so that its bandwidth counts only its output and does not
/// measure memory: the Julia set.
bool onlyWrites(std::string_view id);

/// Effective bandwidth in 10^9 bytes per second.
double gigabytesPerSecond(std::uint64_t bytes, double microseconds);

}  // namespace lanescope
