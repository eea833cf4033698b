#include "app/analysis/launch_counts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "app/base/whole.h"
#include "app/launch/strategy_launch.h"
#include "sim/machine/run/execution.h"
#include "sim/memory/address.h"
#include "sim/sass/access_changes.h"
#include "sim/sass/machine_run.h"

namespace lanescope {

void Footprint::mark(std::uint64_t address, AccessKind kind) {
  const std::uint64_t name = address >> kOffsetBits;
  if (name == 0 || isShared(address) || isLocal(address)) return;
  if (name >= marks_.size()) marks_.resize(name + 1);
  std::vector<std::uint8_t>& buffer = marks_[name];
  const std::uint64_t sector = (address & kOffsetMask) / kSectorBytes;
  if (sector >= buffer.size()) buffer.resize(std::bit_ceil(sector + 1));
  std::uint8_t& bits = buffer[sector];
  const auto set = [&](Mark one) {
    const auto bit = static_cast<std::uint8_t>(1U << one);
    if ((bits & bit) != 0) return;
    bits = static_cast<std::uint8_t>(bits | bit);
    ++counts_[one];
  };
  if (kind != AccessKind::Store && bits == 0) set(kRead);
  if (kind != AccessKind::Load) set(kWritten);
}

void Footprint::happened(const WarpState&, const Instruction&, const Event& event) {
  if (!isGlobal(event.kind)) return;  // the constant cache may have kept a constant
  std::uint64_t last = 0;             // lanes side by side touch the same sector: no buffer has this one
  for (std::uint32_t lanes = event.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = event.addresses[std::countr_zero(lanes)];
    if (address / kSectorBytes != last) mark(address, toAccessKind(event.kind));
    last = address / kSectorBytes;
  }
}

namespace {

using Sizes = std::array<std::uint64_t, 3>;

constexpr std::uint32_t kWarp = 32;

/// Small sizes like `n` for a launch: each as many blocks larger than the previous one as a block has threads
/// (so that the loop over the blocks' results takes whole iterations more) or, for a kernel that strides over
/// a full grid, each a stride longer. Nullopt if n is not larger than these.
std::optional<Sizes> smallerSizes(const Strategy& strategy, const StrategyShape& shape,
                                  std::uint64_t mostBlocks) {
  const bool needsPowers = strategy.family == Family::Transpose || strategy.result == ResultKind::Julia;
  constexpr std::uint64_t kSquare = std::uint64_t{1} << 14U;
  if (needsPowers) {
    if (shape.n <= kMostWholeN) return std::nullopt;
    return Sizes{kSquare, 2 * kSquare, 4 * kSquare};
  }
  const std::uint64_t perBlock = std::uint64_t{shape.threads()} * strategy.elementsPerThread;
  const bool isFull = strategy.stridesGrid && shape.blocks() == mostBlocks;
  const std::uint64_t stride = perBlock * (isFull ? mostBlocks : shape.threads());
  const std::uint64_t first = shape.n % stride + stride;
  if (shape.n <= std::max(first + 2 * stride, kMostWholeN)) return std::nullopt;
  return Sizes{first, first + stride, first + 2 * stride};
}

/// A value that grows evenly over three sizes, at a fourth; nullopt if it does not grow evenly.
std::optional<std::uint64_t> scaled(const Sizes& sizes, const std::array<std::uint64_t, 3>& counts,
                                    std::uint64_t n) {
  const auto difference = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(b) - static_cast<std::int64_t>(a);
  };
  const std::int64_t near = difference(counts[0], counts[1]);
  const std::int64_t far = difference(counts[1], counts[2]);
  const std::int64_t step = difference(sizes[1], sizes[2]);
  if (near * step != far * difference(sizes[0], sizes[1])) return std::nullopt;
  const std::int64_t more = far * difference(sizes[2], n);
  if (more % step != 0) return std::nullopt;
  return counts[2] + static_cast<std::uint64_t>(more / step);
}

/// The counts of three small launches of a kind, scaled to a large one.
class Scaling {
 public:
  Scaling(const Sizes& sizes, const std::array<LaunchCounts, 3>& samples, std::uint64_t n)
      : sizes_(sizes), samples_(samples), n_(n) {}

  LaunchCounts counts(const StrategyShape& shape) const {
    LaunchCounts all;
    all.kernel = samples_.back().kernel;
    all.blocks = shape.blocks();
    all.warps = all.blocks * ((shape.threads() + 31) / 32);
    all.readSectors = of(&LaunchCounts::readSectors);
    all.writtenSectors = of(&LaunchCounts::writtenSectors);
    all.storedSectors = of(&LaunchCounts::storedSectors);
    all.sharedWavefronts = of(&LaunchCounts::sharedWavefronts);
    for (const auto& [line, most] : samples_.back().lines) {
      std::array<std::uint64_t, 3> counted{};
      for (std::size_t i = 0; i < 3; ++i) {
        const auto found = samples_[i].lines.find(line);
        counted[i] = found == samples_[i].lines.end() ? 0 : found->second.value_or(0);
      }
      all.lines[line] = scaled(sizes_, counted, n_);
    }
    all.operations = operations();
    all.scaledFrom.assign(sizes_.begin(), sizes_.end());
    return all;
  }

 private:
  std::optional<std::vector<OperationCount>> operations() const {
    if (!std::ranges::all_of(samples_, [](const LaunchCounts& one) { return one.operations.has_value(); }))
      return std::nullopt;
    std::vector<OperationCount> all = *samples_.back().operations;
    for (OperationCount& one : all) {
      std::array<std::uint64_t, 3> executions{};
      std::array<std::uint64_t, 3> warps{};
      for (std::size_t i = 0; i < 3; ++i) {
        const auto found = std::ranges::find_if(*samples_[i].operations, [&one](const OperationCount& other) {
          return other.number == one.number && other.kind == one.kind;
        });
        if (found == samples_[i].operations->end()) continue;
        executions[i] = found->executions;
        warps[i] = found->warps;
      }
      const auto allExecutions = scaled(sizes_, executions, n_);
      const auto allWarps = scaled(sizes_, warps, n_);
      if (!allExecutions || !allWarps) return std::nullopt;
      one.executions = *allExecutions;
      one.warps = *allWarps;
    }
    return all;
  }

  std::optional<std::uint64_t> of(std::optional<std::uint64_t> LaunchCounts::*count) const {
    std::array<std::uint64_t, 3> counted{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(samples_[i].*count)) return std::nullopt;
      counted[i] = *(samples_[i].*count);
    }
    return scaled(sizes_, counted, n_);
  }

  const Sizes& sizes_;
  const std::array<LaunchCounts, 3>& samples_;
  std::uint64_t n_;
};

Launch launchWith(const Strategy& strategy, const StrategyShape& shape,
                  const std::shared_ptr<const SourceText>& text, const std::stop_token& stop) {
  Launch launch = makeLaunch(strategy, shape, machinePresets().front());
  if (text != nullptr) launch.source = text;
  launch.stop = stop;
  return launch;
}

}  // namespace

Result<LaunchCounts> countWhole(const Launch& launch, CountWhat what) {
  auto prepared = prepare(launch);
  if (!prepared) return prepared.error();
  // Blocks that wait for each other cannot be followed.
  const bool isFollowed = what == CountWhat::Everything && !prepared->code().meetsGrid;
  const CompiledKernelPtr kernel = prepared->kernel;
  Execution execution(launch, std::move(*prepared));
  Footprint footprint;
  OperationCounter operations(*kernel);
  const std::array<Observer*, 2> observers{&footprint, &operations};
  while (isFollowed && !execution.isOver()) execution.observe(observers);
  if (!isFollowed) execution.runTo(launch.grid.count());
  if (execution.fault()) return execution.error();
  const Simulation run = execution.consume();
  LaunchCounts counts;
  counts.kernel = launch.kernel.empty() ? kernel->code.kernelName : launch.kernel;
  counts.blocks = launch.grid.count();
  counts.warps =
      counts.blocks * ((launch.block.count() + launch.machine.warpSize - 1) / launch.machine.warpSize);
  if (isFollowed) {
    counts.readSectors = footprint.readSectors();
    counts.writtenSectors = footprint.writtenSectors();
    counts.operations = operations.consume();
  }
  counts.storedSectors = run.counters.globalStoreSectors;
  counts.sharedWavefronts = run.counters.sharedWavefronts();
  for (const LineCounters& line : run.lines) counts.lines[line.line] = line.counters.instructions;
  return counts;
}

Result<LaunchCounts> countStrategy(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                                   std::uint64_t mostBlocks, const std::shared_ptr<const SourceText>& text,
                                   CountWhat what, const std::stop_token& stop) {
  const auto shape = shapeOfThreads(strategy, n, threads, mostBlocks, kWarp);
  if (!shape) return shape.error();
  const auto sizes = smallerSizes(strategy, *shape, mostBlocks);
  if (!sizes) return countWhole(launchWith(strategy, *shape, text, stop), what);
  std::array<LaunchCounts, 3> samples;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    const auto small = shapeOfThreads(strategy, (*sizes)[i], threads, mostBlocks, kWarp);
    if (!small) return small.error();
    auto counted = countWhole(launchWith(strategy, *small, text, stop), what);
    if (!counted) return counted.error();
    samples[i] = std::move(counted).value();
  }
  return Scaling(*sizes, samples, n).counts(*shape);
}

std::optional<ExecutedCode> executeWhole(const Launch& launch, const MachineCode& code) {
  constexpr std::uint64_t kMostIssued = std::uint64_t{1} << 25U;  // seconds
  const auto run = runMachineCode(launch, code, launch.grid.count(), kMostIssued);
  if (!run || run->dependsOnTime) return std::nullopt;
  const Counters counters = executedCounters(*run, code);
  return ExecutedCode{executedSlots(*run, code), counters.sharedWavefronts(), counters.globalStoreSectors};
}

std::optional<ExecutedCode> executeStrategy(const Strategy& strategy, std::uint64_t n, std::uint32_t threads,
                                            std::uint64_t mostBlocks,
                                            const std::shared_ptr<const SourceText>& text,
                                            const MachineCode& code, const std::stop_token& stop) {
  const auto shape = shapeOfThreads(strategy, n, threads, mostBlocks, kWarp);
  if (!shape) return std::nullopt;
  const auto sizes = smallerSizes(strategy, *shape, mostBlocks);
  if (!sizes) return executeWhole(launchWith(strategy, *shape, text, stop), code);
  std::array<ExecutedCode, 3> samples;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    const auto small = shapeOfThreads(strategy, (*sizes)[i], threads, mostBlocks, kWarp);
    if (!small || stop.stop_requested()) return std::nullopt;
    auto executed = executeWhole(launchWith(strategy, *small, text, stop), code);
    if (!executed) return std::nullopt;
    samples[i] = std::move(*executed);
  }
  const auto computeScaled = [&](const auto& count) {
    return scaled(*sizes, {count(samples[0]), count(samples[1]), count(samples[2])}, n);
  };
  const auto wavefronts = computeScaled([](const ExecutedCode& one) { return one.sharedWavefronts; });
  const auto sectors = computeScaled([](const ExecutedCode& one) { return one.storedSectors; });
  if (!wavefronts || !sectors) return std::nullopt;
  ExecutedCode all{samples.back().lines, *wavefronts, *sectors};  // every sample has the lines of the code
  for (std::size_t line = 0; line < all.lines.size(); ++line) {
    const auto slots = computeScaled(
        [line](const ExecutedCode& one) { return roundToWhole<std::uint64_t>(one.lines[line].slots); });
    if (!slots) return std::nullopt;
    all.lines[line].slots = static_cast<double>(*slots);
  }
  return all;
}

}  // namespace lanescope
