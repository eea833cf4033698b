#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/protocol/protocol.h"
#include "kernels/strategies/experiment.h"

/// Statistics of a series of times. Pure functions; times are in any one unit.
namespace lanescope {

struct Quartiles {
  double q1 = 0;
  double median = 0;
  double q3 = 0;

  double range() const { return q3 - q1; }
};

/// Median and quartiles by linear interpolation between order statistics (Hyndman & Fan's type 7, the
/// default of R and NumPy). All 0 for no samples.
Quartiles quartiles(std::span<const double> samples);

/// A series summarised: without its outliers, and their number.
struct Summary {
  Quartiles quartiles;
  std::size_t used = 0;
  std::size_t discarded = 0;
};

/// Leaves out samples beyond Tukey's outer fences, 3 interquartile ranges from the quartiles, and summarises
/// the rest. A fence is at least 5 % of the median away: CUDA's events tick coarsely, and among samples that
/// all fall on one tick the neighbouring tick is not an outlier.
Summary summarise(std::span<const double> samples);

/// Half the width of the 95 % confidence interval of the median, relative to the median: 1.57 times
/// the interquartile range over the square root of the count (the notch of a box plot; McGill, Tukey,
/// Larsen 1978). 1 for fewer than two samples.
double medianNoise(std::span<const double> samples);

/// The conditions for the end of sampling.
struct StoppingRule {
  std::size_t minSamples = 10;
  std::size_t maxSamples = 40;
  double noise = 0.005;  ///< stop once medianNoise is below this
};

/// True if the series needs no more samples: it is at the cap, or past the least count and quiet.
bool enoughSamples(std::span<const double> samples, const StoppingRule& rule);

// The valid requests for a benchmark: pure rules, shared by the worker and its clients.

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

// The number of blocks of a timing, given as blocks or as elements per thread.

/// The fewest blocks of `threads` that leave their threads at most `perThread` elements of n on average; at
/// least 1. A single thread may take more: float4-loads hands out four at a time.
std::uint64_t blocksFor(std::uint64_t n, std::uint32_t threads, std::uint64_t perThread);

/// The numbers of blocks from two options, sizes as parseSize() reads them: either `blocks`, or the most
/// elements per thread on average, of which several may yield the same number; each number once, in the given
/// order. Empty if neither option is set: the strategies' own choice. Errors: an invalid size, 0 or more than
/// kMaxBenchBlocks blocks, or 0 elements.
Result<std::vector<std::uint64_t>> blocksAskedFor(const std::vector<std::string>& blocks,
                                                  const std::vector<std::string>& perThread, std::uint64_t n,
                                                  std::uint32_t threads);

/// A request for each number of blocks, or the single request if there are none. Contenders with a grid of
/// their own run only in the first one. Errors: those of makeContenders.
Result<std::vector<BenchRequest>> requestsOver(const BenchRequest& request,
                                               const std::vector<std::uint64_t>& blocks);

/// One sentence about the contenders that keep their own grids in a request with a number of blocks; empty if
/// there are none.
std::string ownGridsText(const BenchRequest& request);

/// Elements per thread as text: `65,536`, `31.03`.
std::string perThreadText(double elements);

/// The same with its noun: `31.03 elements per thread`, `1 element per thread`.
std::string elementsPerThreadText(double elements);

/// The result's elements per thread, on average; if a recording lacks them, computed from its grid. 0 if
/// unknown, as for CUB.
double elementsPerThread(const ResultMessage& result);

// The contents of a run of an experiment: pure rules, shared by the worker and its clients.

/// The run of a request for an experiment: its N, block, type of element and cache state. Errors, one
/// sentence each: no experiment of that id, an N over 2^31.
Result<BenchRequest> makeBench(const ExperimentRequest& request);

/// Every kernel of the experiment, by the name of its recorded times (Variant::series). Errors: those of
/// makeVariants(), and a kernel that cannot be launched over the request's N.
Result<std::vector<Contender>> makeContenders(const Experiment& experiment, const BenchRequest& request);

/// `There is no experiment 'x'.`, and the valid ids.
Error noSuchExperiment(std::string_view id);

}  // namespace lanescope
