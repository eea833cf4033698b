#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/protocol/bench_rules.h"

/// The number of blocks of a timing, given as blocks or as elements per thread.
namespace lanescope {

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

}  // namespace lanescope
