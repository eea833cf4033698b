#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/worker/bench_rules.h"

/// How many blocks a timing is given, by those who think in blocks and those who think in elements per
/// thread.
namespace lanescope {

/// The fewest blocks of `threads` that leave their threads at most `perThread` elements of n on average; at
/// least 1. What one thread takes may be more: float4-loads hands out four at a time.
std::uint64_t blocksFor(std::uint64_t n, std::uint32_t threads, std::uint64_t perThread);

/// The numbers of blocks that two options ask for, sizes as parseSize() reads them: either `blocks`, or the
/// most elements per thread on average, of which several may come to the same number; each number once, in
/// the order asked for. Empty where neither says anything: the strategies' own choice. Errors: what is no
/// size, and 0 or more than kMaxBenchBlocks blocks, or 0 elements.
Result<std::vector<std::uint64_t>> blocksAskedFor(const std::vector<std::string>& blocks,
                                                  const std::vector<std::string>& perThread, std::uint64_t n,
                                                  std::uint32_t threads);

/// A request for each number of blocks, or the one where there are none. Who keeps its own grid runs in the
/// first alone. Errors: those of contendersOf.
Result<std::vector<BenchRequest>> requestsOver(const BenchRequest& request,
                                               const std::vector<std::uint64_t>& blocks);

/// One sentence on those that a request with a number of blocks leaves their own grids; empty where there are
/// none.
std::string ownGridsText(const BenchRequest& request);

/// Elements for each thread, for a person: `65,536`, `31.03`.
std::string perThreadText(double elements);

/// The same with its noun: `31.03 elements per thread`, `1 element per thread`.
std::string elementsPerThreadText(double elements);

/// What the result says of the elements for each thread, on average; for a recording that does not say, from
/// its grid. 0 where it cannot be known, as of CUB.
double elementsPerThread(const ResultMessage& result);

}  // namespace lanescope
