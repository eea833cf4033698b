#include "app/session/strategy_launch.h"

namespace lanescope {
namespace {

Argument buffer(Fill fill, std::uint64_t count) {
  Argument argument;
  argument.isBuffer = true;
  argument.fill = fill;
  argument.count = count;
  return argument;
}

Argument scalar(std::uint64_t value) {
  Argument argument;
  argument.type = ArgumentType::U32;
  argument.integer = value;
  return argument;
}

Argument argumentOf(Parameter parameter, const StrategyShape& shape) {
  switch (parameter) {
    case Parameter::In:
    case Parameter::B: return buffer(Fill::Hash, shape.n);
    case Parameter::Out: return buffer(Fill::Zero, shape.outElements);
    case Parameter::Scratch: return buffer(Fill::Zero, shape.n);
    case Parameter::Partials: return buffer(Fill::Zero, shape.blocks());
    case Parameter::N: return scalar(shape.n);
    case Parameter::Width: return scalar(shape.width);
    case Parameter::Height: return scalar(shape.height);
    case Parameter::Counter: break;
  }
  Argument counter = buffer(Fill::Zero, 1);
  counter.type = ArgumentType::U32;
  return counter;
}

}  // namespace

Result<Launch> launchOf(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                        const MachineModel& machine) {
  const auto shape = shapeOverBlocks(strategy, n, blocks, machine.warpSize);
  if (!shape) return shape.error();
  return launchOf(strategy, *shape, machine);
}

Launch launchOf(const Strategy& strategy, const StrategyShape& shape, const MachineModel& machine) {
  Launch launch;
  launch.source = std::make_shared<SourceText>(std::string(strategy.file), std::string(strategy.source));
  launch.kernel = shape.kernel;
  launch.grid = {shape.gridX, shape.gridY, 1};
  launch.block = {shape.blockX, shape.blockY, 1};
  launch.dynamicSharedBytes = shape.dynamicSharedBytes;
  launch.machine = machine;
  for (const Parameter parameter : strategy.parameters)
    launch.arguments.push_back(argumentOf(parameter, shape));
  return launch;
}

}  // namespace lanescope
