#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/strategies/variant.h"
#include "kernels/worker/protocol.h"

/// What a benchmark may be asked for: pure rules, shared by the worker and by whoever asks it.
namespace lanescope {

inline constexpr std::uint32_t kWarpThreads = 32;                     ///< of every NVIDIA GPU so far
inline constexpr std::uint32_t kMinBenchBlock = 32;                   ///< a warp
inline constexpr std::uint32_t kMaxBenchBlock = kMaxBlockThreads;     ///< CUDA's own limit
inline constexpr std::uint64_t kMaxBenchBlocks = kMaxGridX;           ///< CUDA's own limit, of a grid
inline constexpr std::uint64_t kMaxBenchN = std::uint64_t{1} << 31U;  ///< kernels index with 32 bits

/// The id of CUB's DeviceReduce, timed beside the strategies where a whole reduction is.
inline constexpr std::string_view kCubId = "cub";

/// One of those that a run times.
struct Contender {
  std::string id;
  const Strategy* strategy = nullptr;  ///< nullptr for CUB
  std::uint64_t blocks = 0;            ///< that it was asked to take; 0: it keeps its own grid
  /// Of an experiment's kernel: its text and launch, which `strategy` is part of.
  std::shared_ptr<const Variant> variant{};
};

/// Who a request times, in its order, or one sentence that says what is wrong with it: an unknown
/// strategy, a block that is no power of two from 32 to 1024, an N that the blocks do not divide, a type
/// of element that a strategy is not for, neither cold nor warm, a number of blocks that none of them takes
/// or that one of them cannot be given. A request that names none gets every
/// reduction that its N, type and scope allow and that is not wrong by design, and CUB where whole
/// reductions are timed.
Result<std::vector<Contender>> contendersOf(const BenchRequest& request);

/// Whether a strategy is timed at that N: of the slowest only the smaller are.
bool isTimedAt(const Strategy& strategy, std::uint64_t n);

/// The launches that a contender's timed work is made of, `sms` being the GPU's multiprocessors: one for
/// Scope::Kernel, as many as one value takes for Scope::Full. The strategy must not be nullptr.
Result<std::vector<StrategyShape>> launchesOf(const Strategy& strategy, const BenchRequest& request,
                                              std::uint32_t sms);

/// The same of a contender that is not CUB; an experiment's kernel has a launch of its own.
Result<std::vector<StrategyShape>> launchesOf(const Contender& contender, const BenchRequest& request,
                                              std::uint32_t sms);

/// A size as a person writes it: `16777216` or `2^24`. The error says so in one sentence.
Result<std::uint64_t> parseSize(std::string_view text);

/// Bytes of memory for a person: `8.6 GB`, `512 MB`.
std::string bytesText(std::uint64_t bytes);

/// Bytes that the work must move: for a kernel by itself, what it reads and what it leaves in `out`; for a
/// whole reduction n elements and one. `out`: elements left.
std::uint64_t bytesMoved(const Strategy* strategy, Scope scope, std::uint64_t n, std::uint64_t out,
                         ElementType type);

/// Whether the contender of that id reads nothing, so that its bandwidth is what it writes and says little of
/// memory: the Julia set.
bool onlyWrites(std::string_view id);

/// Effective bandwidth in 10^9 bytes per second.
double gigabytesPerSecond(std::uint64_t bytes, double microseconds);

}  // namespace lanescope
