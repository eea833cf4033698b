#include "kernels/strategies/shape.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace lanescope {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

std::uint64_t countOutElements(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks) {
  switch (strategy.result) {
    case ResultKind::BlockSums:
    case ResultKind::PartialSums: return blocks;
    case ResultKind::Sum:
    case ResultKind::Total: return 1;
    case ResultKind::Transpose:
    case ResultKind::VectorSum:
    case ResultKind::Julia: return n;
  }
  return n;
}

/// The shape with everything that depends on grid, block and n.
StrategyShape linear(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks, std::uint64_t threads,
                     std::uint32_t warpSize, ElementType type) {
  StrategyShape shape;
  shape.n = n;
  shape.type = type;
  shape.gridX = static_cast<std::uint32_t>(blocks);
  shape.blockX = static_cast<std::uint32_t>(threads);
  shape.dynamicSharedBytes = strategy.sharedBytes(shape.blockX, warpSize, type);
  shape.outElements = countOutElements(strategy, n, blocks);
  if (!strategy.operators.empty()) shape.op = strategy.operators.front();
  shape.kernel = kernelName(strategy, shape.blockX, 0, shape.op);
  return shape;
}

/// Columns and rows of n elements: powers of two, as square as possible, never taller than wide.
Result<StrategyShape> matrix(const Strategy& strategy, std::uint64_t n, ElementType type) {
  if (!std::has_single_bit(n)) {
    return Error{
        "'" + std::string(strategy.id) + "' needs a power of two of elements, but N is " + number(n) + ".",
        "Choose N = " + number(std::bit_ceil(n)) + ", for instance."};
  }
  StrategyShape shape;
  shape.n = n;
  shape.type = type;
  shape.height = std::uint64_t{1} << (std::bit_width(n) - 1) / 2;
  shape.width = n / shape.height;
  shape.outElements = n;
  return shape;
}

/// For a kernel that strides over the grid; over a picture if it draws one.
Result<StrategyShape> strided(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                              std::uint64_t threads, std::uint32_t warpSize, ElementType type) {
  auto shape = linear(strategy, n, blocks, threads, warpSize, type);
  if (strategy.result != ResultKind::Julia) return shape;
  auto picture = matrix(strategy, n, type);
  if (!picture) return picture;
  shape.width = picture->width;
  shape.height = picture->height;
  return shape;
}

Result<StrategyShape> transposeShape(const Strategy& strategy, std::uint64_t n, ElementType type) {
  auto shape = matrix(strategy, n, type);
  if (!shape) return shape;
  const std::uint64_t tiles = strategy.elementsPerThread;
  const std::uint64_t tile = std::min({kMaxTile, shape->height, shape->width / tiles});
  if (tile == 0) {
    return Error{
        "'" + std::string(strategy.id) + "' needs " + number(tiles) + " columns, but N is " + number(n) + ".",
        "Choose N = " + number(tiles * tiles) + " or more."};
  }
  shape->blockX = shape->blockY = static_cast<std::uint32_t>(tile);
  shape->gridX = static_cast<std::uint32_t>(shape->width / (tile * tiles));
  shape->gridY = static_cast<std::uint32_t>(shape->height / tile);
  shape->kernel = kernelName(strategy, shape->blockX, tile, {});
  return shape;
}

Error notDivisible(std::uint64_t n, std::uint64_t blocks) {
  return Error{number(n) + " elements are not divisible by " + number(blocks) + " blocks.",
               "Every block reduces the same number of elements: choose a number of blocks that divides N."};
}

/// For a block that is not a tree of pairs. The strategies' elements per thread are powers of two.
Error notAPowerOfTwo(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks) {
  const std::uint64_t least = strategy.elementsPerThread;
  const std::uint64_t perBlock = n / blocks;
  const std::string sizes = number(least) + ", " + number(2 * least) + ", " + number(4 * least) + ", " +
                            number(8 * least) + " \u2026";
  const std::string whence = blocks == 1 ? "" : " (N = " + number(n) + " over " + number(blocks) + " blocks)";
  const std::uint64_t above = std::bit_ceil(std::max(perBlock, least));
  const std::string below = above / 2 >= least ? number(above / 2 * blocks) + " or " : "";
  return Error{"A block of '" + std::string(strategy.id) + "' reduces a power of two of elements: " + sizes +
                   ", not " + number(perBlock) + whence + ".",
               "Choose N = " + below + number(above * blocks) + "."};
}

/// The largest block, up to `threads`, whose sums of `n` elements are one, or enough for another pass; 0 if
/// there is none.
std::uint32_t blockForPass(const Strategy& strategy, std::uint64_t n, std::uint32_t threads) {
  const std::uint64_t perThread = strategy.elementsPerThread;
  for (std::uint32_t block = threads; block > 0; block /= 2) {
    const std::uint64_t perBlock = block * perThread;
    if (perBlock < 2 || n % perBlock != 0) continue;
    const std::uint64_t left = n / perBlock;
    if (left == 1 || (left >= perThread && left >= 2)) return block;
  }
  return 0;
}

/// The reason why the strategy cannot use that many blocks; empty if it can.
std::optional<Error> checkBlocks(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                                 std::uint64_t blocks) {
  const std::uint64_t most = countMostBlocks(strategy, n, threads);
  if (blocks <= most) return std::nullopt;
  return Error{"'" + std::string(strategy.id) + "' cannot be given " + number(blocks) + " blocks of " +
                   number(threads) + " threads at N = " + sizeText(n) +
                   ": its 32-bit indices would run over.",
               "Choose at most " + number(most) + "."};
}

/// Threads for n elements in that many blocks if the kernel strides over the grid: as many as have work for
/// elementsPerThread each, at most 256.
std::uint64_t stridingThreads(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks) {
  const std::uint64_t share = n / (blocks * strategy.elementsPerThread);
  return std::min<std::uint64_t>(256, std::bit_floor(std::max<std::uint64_t>(1, share)));
}

}  // namespace

std::uint64_t countMostBlocks(const Strategy& strategy, std::uint64_t n, std::uint32_t threads) {
  constexpr std::uint64_t kIndices = std::uint64_t{1} << 32U;
  if (n >= kIndices) return 0;
  return std::min(kMaxGridX, (kIndices - n) / (std::uint64_t{threads} * strategy.elementsPerThread));
}

std::uint64_t ownMostBlocks(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                            std::uint32_t sms) {
  constexpr std::uint32_t kSmThreads = 2048;
  std::uint32_t perSm = strategy.blocksPerSm;
  if (n <= strategy.oneWaveTo) perSm = std::min(perSm, std::max(1U, kSmThreads / threads));
  return std::uint64_t{perSm} * sms;
}

double elementsPerThread(const Strategy& strategy, const StrategyShape& shape) {
  const double threads = static_cast<double>(shape.blocks()) * shape.threads();
  return strategy.isOneThread ? static_cast<double>(shape.n) : static_cast<double>(shape.n) / threads;
}

std::string kernelName(const Strategy& strategy, std::uint32_t block, std::uint64_t tile,
                       const std::string& op) {
  std::string name = strategy.kernel;
  const auto replace = [&](std::string_view placeholder, const std::string& with) {
    if (const std::size_t at = name.find(placeholder); at != std::string::npos)
      name.replace(at, placeholder.size(), with);
  };
  replace("{block}", number(block));
  replace("{elements}", number(strategy.elementsPerThread));
  replace("{tile}", number(tile));
  replace("{operator}", op);
  return name;
}

Result<StrategyShape> shapeOverBlocks(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                                      std::uint32_t warpSize, ElementType type) {
  if (blocks > kMaxGridX) {
    return Error{number(blocks) + " blocks are more than a grid has.",
                 "Choose at most " + number(kMaxGridX) + "."};
  }
  if (n == 0 || blocks == 0) {
    return Error{
        n == 0 ? "There is nothing to reduce: N is 0." : "Nothing to reduce: the number of blocks is 0.",
        "Choose at least 1."};
  }
  if (strategy.family == Family::Transpose) {
    if (blocks == 1) return transposeShape(strategy, n, type);
    return Error{"'" + std::string(strategy.id) + "' has as many blocks as the matrix has tiles, not " +
                     number(blocks) + ".",
                 "Leave the number of blocks out."};
  }
  if (strategy.stridesGrid) {
    return strided(strategy, n, blocks, stridingThreads(strategy, n, blocks), warpSize, type);
  }
  if (n % blocks != 0) return notDivisible(n, blocks);
  const std::uint64_t perBlock = n / blocks;
  const std::uint64_t perThread = strategy.elementsPerThread;
  const std::uint64_t threads = perBlock / perThread;
  if (perBlock % perThread != 0 || !std::has_single_bit(threads)) {
    return notAPowerOfTwo(strategy, n, blocks);
  }
  if (threads > kMaxBlockThreads) {
    return Error{number(perBlock) + " elements per block need " + number(threads) +
                     " threads, but a block has at most " + number(kMaxBlockThreads) + ".",
                 "Choose more blocks: " + number(perBlock * blocks / (kMaxBlockThreads * perThread)) + "."};
  }
  return linear(strategy, n, blocks, threads, warpSize, type);
}

Result<StrategyShape> shapeOfThreads(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                                     std::uint64_t mostBlocks, std::uint32_t warpSize, ElementType type,
                                     std::uint64_t blocks) {
  if (n == 0) return Error{"There is nothing to do: N is 0.", "Choose at least 1."};
  if (strategy.family == Family::Transpose) return transposeShape(strategy, n, type);
  const std::uint64_t perBlock = std::uint64_t{threads} * strategy.elementsPerThread;
  if (strategy.stridesGrid) {
    std::uint64_t grid = std::clamp<std::uint64_t>((n + perBlock - 1) / perBlock, 1, mostBlocks);
    if (blocks > 0 && strategy.takesBlocks()) {
      if (auto problem = checkBlocks(strategy, n, threads, blocks)) return *problem;
      grid = blocks;
    }
    return strided(strategy, n, grid, threads, warpSize, type);
  }
  if (n % perBlock != 0) {
    return Error{"N = " + sizeText(n) + " is not a multiple of " + number(perBlock) +
                     ", the elements that a block of " + number(threads) + " threads reduces with '" +
                     std::string(strategy.id) + "'.",
                 "Choose another N or a smaller block."};
  }
  if (n / perBlock > kMaxGridX) {
    return Error{
        "N = " + sizeText(n) + " needs more than 2^31 - 1 blocks of " + number(threads) + " threads.",
        "Choose a larger block."};
  }
  return linear(strategy, n, n / perBlock, threads, warpSize, type);
}

Result<std::vector<StrategyShape>> passesToOne(const Strategy& strategy, std::uint64_t n,
                                               std::uint32_t threads, std::uint64_t mostBlocks,
                                               std::uint32_t warpSize, ElementType type,
                                               std::uint64_t blocks) {
  std::vector<StrategyShape> passes;
  std::uint64_t left = n;
  do {
    const bool fits =
        !strategy.stridesGrid && strategy.family == Family::Reduction &&
        (strategy.result == ResultKind::BlockSums || strategy.result == ResultKind::PartialSums);
    const std::uint32_t block = fits ? blockForPass(strategy, left, threads) : threads;
    if (block == 0) {
      return Error{"N = " + sizeText(n) + " is not brought down to one value by '" +
                       std::string(strategy.id) + "', whose blocks of powers of two leave " + number(left) +
                       ".",
                   "Choose a power of two."};
    }
    // The second launch of a kernel that strides over the grid is one block.
    const bool isFirst = passes.empty();
    auto shape =
        shapeOfThreads(strategy, left, block, isFirst ? mostBlocks : 1, warpSize, type, isFirst ? blocks : 0);
    if (!shape) return shape.error();
    left = shape->outElements;
    passes.push_back(std::move(*shape));
  } while (left > 1 &&
           (strategy.result == ResultKind::BlockSums || strategy.result == ResultKind::PartialSums));
  return passes;
}

std::string sizeText(std::uint64_t n) {
  if (n >= 1024 && std::has_single_bit(n)) return "2^" + std::to_string(std::countr_zero(n));
  return std::to_string(n);
}

}  // namespace lanescope
