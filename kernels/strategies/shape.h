#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/strategies/catalogue.h"
#include "sim/base/diagnostic.h"
#include "sim/memory/machine_model.h"

/// The launch of a strategy over n elements. One set of rules for the simulator, in which the user chooses n
/// and the blocks, and for the GPU, for which n and the threads of a block are chosen.
namespace lanescope {

inline constexpr std::uint64_t kMaxTile = 32;

/// A launch of a strategy.
struct StrategyShape {
  std::string kernel;  ///< with its template arguments: `completely_unrolled<256>`
  std::uint64_t n = 0;
  std::uint64_t width = 0;  ///< of n elements as a matrix or a picture
  std::uint64_t height = 0;
  std::uint32_t gridX = 1;
  std::uint32_t gridY = 1;
  std::uint32_t blockX = 1;
  std::uint32_t blockY = 1;
  std::uint64_t dynamicSharedBytes = 0;
  std::uint64_t outElements = 1;
  ElementType type = ElementType::Float;
  std::string op;  ///< the operator in use; empty if the strategy has none

  std::uint64_t blocks() const { return std::uint64_t{gridX} * gridY; }
  std::uint32_t threads() const { return blockX * blockY; }
};

/// The launch over `n` elements with `blocks` blocks, which determines the threads of a block. Errors, one
/// sentence each: n or blocks 0, n not divisible by the blocks or not a power of two per block although the
/// kernel needs one, a block over 1024 threads, a transpose of an n that is not a power of two. Transposes
/// and pictures choose their own grid and need blocks = 1.
Result<StrategyShape> shapeOverBlocks(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                                      std::uint32_t warpSize, ElementType type = ElementType::Float);

/// The most blocks of `threads` over n elements for a strategy that takes a number of blocks: its 32-bit
/// indices get up to n + blocks * threads * elementsPerThread, and CUDA's grids to 2^31 - 1.
std::uint64_t countMostBlocks(const Strategy& strategy, std::uint64_t n, std::uint32_t threads);

/// The most blocks of `threads` over `n` elements on a GPU of `sms` SMs unless the user chooses, if the
/// strategy stridesGrid: its blocksPerSm for each SM, and up to oneWaveTo elements not more than 2,048
/// threads for each, which is the number that an SM holds at once (compute capability 8.0 and 9.0).
std::uint64_t ownMostBlocks(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                            std::uint32_t sms);

/// The launch over `n` elements with `threads` per block (a power of two), which determines the grid. A
/// kernel that strides over its grid gets as many blocks as have work, at most `mostBlocks`; or exactly
/// `blocks` if that is not 0 and the strategy takesBlocks(). Errors: an n that the blocks do not divide
/// although the kernel needs it, more than 2^31 - 1 blocks, `blocks` over countMostBlocks().
Result<StrategyShape> shapeOfThreads(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                                     std::uint64_t mostBlocks, std::uint32_t warpSize,
                                     ElementType type = ElementType::Float, std::uint64_t blocks = 0);

/// The launches, one after another, that reduce `n` elements to one value with a strategy that leaves block
/// or partial sums (the output of one is the input of the next), or the one launch of any other. Errors:
/// those of shapeOfThreads, whose `blocks` are the first launch's, and an n that blocks of powers of two do
/// not bring to one.
Result<std::vector<StrategyShape>> passesToOne(const Strategy& strategy, std::uint64_t n,
                                               std::uint32_t threads, std::uint64_t mostBlocks,
                                               std::uint32_t warpSize, ElementType type = ElementType::Float,
                                               std::uint64_t blocks = 0);

/// Elements for each thread of a launch, on average: n / (blocks * threads). If one thread does all the work,
/// n.
double elementsPerThread(const Strategy& strategy, const StrategyShape& shape);

/// The strategy's kernel with its placeholders filled in: {block}, {elements}, {tile}, {operator}.
std::string kernelName(const Strategy& strategy, std::uint32_t block, std::uint64_t tile,
                       const std::string& op);

/// `2^24` for a power of two from 1024 up, else the digits.
std::string sizeText(std::uint64_t n);

}  // namespace lanescope
