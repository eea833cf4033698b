#include "app/session/strategy_launch.h"

#include <fmt/format.h>

#include <bit>

namespace lanescope {

Result<Launch> launchOf(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                        const MachineModel& machine) {
  constexpr std::uint64_t kMaxBlockThreads = 1024;
  if (n == 0 || blocks == 0) {
    return Error{n == 0 ? "There is nothing to reduce: N is 0."
                        : "There is nobody to reduce: the number of blocks M is 0.",
                 "Choose at least 1.",
                 {}};
  }
  if (n % blocks != 0) {
    return Error{fmt::format("N = {} is not divisible by M = {} blocks.", n, blocks),
                 "Every block reduces the same number of elements: choose an M that divides N.",
                 {}};
  }
  const std::uint64_t perBlock = n / blocks;
  const std::uint64_t perThread = strategy.elementsPerThread;
  const std::uint64_t threads = perBlock / perThread;
  if (perBlock % perThread != 0 || !std::has_single_bit(threads)) {
    return Error{
        fmt::format("{} needs a power of two of elements a block, at least {}, but N / M = {} / {} is {}.",
                    strategy.id, perThread, n, blocks, perBlock),
        fmt::format("Choose N = {}, for instance.", std::bit_ceil(std::max(perBlock, perThread)) * blocks),
        {}};
  }
  if (threads > kMaxBlockThreads) {
    return Error{
        fmt::format("{} elements a block need {} threads, but a block has at most {}.", perBlock, threads,
                    kMaxBlockThreads),
        fmt::format("Choose more blocks: M = {}.", perBlock * blocks / (kMaxBlockThreads * perThread)),
        {}};
  }
  Launch launch;
  launch.source = std::make_shared<SourceText>(std::string(strategy.file), std::string(strategy.source));
  launch.kernel = strategy.kernel;
  launch.grid.x = static_cast<std::uint32_t>(blocks);
  launch.block.x = static_cast<std::uint32_t>(threads);
  launch.dynamicSharedBytes = strategy.sharedBytes(launch.block.x, machine.warpSize);
  launch.machine = machine;
  Argument input;
  input.isBuffer = true;
  input.fill = Fill::Hash;
  input.count = n;
  Argument output = input;
  output.fill = Fill::Zero;
  output.count = blocks;
  launch.arguments = {input, output};
  return launch;
}

}  // namespace lanescope
