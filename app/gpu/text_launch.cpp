#include "app/gpu/text_launch.h"

#include <algorithm>

#include "app/analysis/edited_comparison.h"
#include "app/launch/strategy_launch.h"
#include "kernels/strategies/shape.h"
#include "kernels/protocol/bench_rules.h"

namespace lanescope {
namespace {

const MachineModel& gpuMachine() { return machinePresets().front(); }

/// As the worker's own function for one launch: the additions of a thread, of its block's tree, and of the
/// blocks' results.
std::uint64_t countAdditions(const StrategyShape& shape) {
  const std::uint64_t threads = shape.blocks() * shape.threads();
  return shape.n / threads + 1 + shape.threads() + (shape.outElements == 1 ? shape.blocks() : 0);
}

bool makesSum(const Strategy& strategy) {
  return strategy.family == Family::Reduction && strategy.result != ResultKind::Transpose;
}

}  // namespace

Result<Launch> makeGpuLaunch(const Document& document, const Selection& selection, KernelCache& kernels) {
  const auto source = document.source();
  if (document.form)
    return launchFrom(completed(*document.form, kernels.findKernels(source)), source, gpuMachine());
  auto launch = makeLaunch(*document.strategy, selection.n, selection.blocks, gpuMachine(),
                           kernels.collectFacts(*document.strategy, source).element);
  if (launch) launch->source = source;
  return launch;
}

Result<TimedLaunch> makeTimedLaunch(const Document& document, std::uint64_t n, std::uint32_t block,
                                    std::uint32_t sms, ElementType element) {
  if (document.strategy == nullptr || document.form)
    return Error{"The text specifies its own launch, and that launch was timed."};
  if (n > kMostTextN) {
    return Error{"A text is timed over " + sizeText(kMostTextN) + " elements at most.",
                 "Choose a smaller N in the GPU panel."};
  }
  const Strategy& strategy = *document.strategy;
  const std::uint64_t mostBlocks = ownMostBlocks(strategy, n, block, std::max(sms, 1U));
  const auto shape = shapeOfThreads(strategy, n, block, mostBlocks, kWarpThreads, element);
  if (!shape) return shape.error();
  Launch launch = makeLaunch(strategy, *shape, gpuMachine());
  launch.source = document.source();
  // The bench's own input, so that the sum is the one it expects.
  for (Argument& argument : launch.arguments) {
    if (argument.isBuffer && argument.fill == Fill::Hash) argument.fill = Fill::Hash1;
  }
  TimedLaunch timed{n, block, 0, makeTextLaunch(launch), std::nullopt, countAdditions(*shape), element};
  timed.bytes = bytesMoved(&strategy, Scope::Kernel, n, shape->outElements, element);
  const auto out = std::ranges::find(strategy.parameters, Parameter::Out);
  if (makesSum(strategy) && out != strategy.parameters.end())
    timed.sumArgument = static_cast<std::uint32_t>(out - strategy.parameters.begin());
  return timed;
}

std::optional<TimedLaunch> makeTimedForm(const Launch& launch) {
  TimedLaunch timed;
  for (const Argument& argument : launch.arguments) {
    if (!argument.isBuffer) continue;
    timed.bytes += argument.bytes();
    if (argument.type == ArgumentType::F32) timed.n = std::max(timed.n, argument.count);
    if (argument.type == ArgumentType::F32x4) timed.n = std::max(timed.n, 4 * argument.count);
  }
  if (timed.n == 0) return std::nullopt;
  timed.block = static_cast<std::uint32_t>(launch.block.count());
  return timed;
}

}  // namespace lanescope
