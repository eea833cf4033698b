#include "app/session/strategy_launch.h"

#include "app/session/element_text.h"

namespace lanescope {
namespace {

Argument buffer(ArgumentType type, Fill fill, std::uint64_t count) {
  Argument argument;
  argument.type = type;
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
  const ArgumentType type = argumentTypeOf(shape.type);
  switch (parameter) {
    case Parameter::In:
    case Parameter::B: return buffer(type, Fill::Hash, shape.n);
    case Parameter::Out: return buffer(type, Fill::Zero, shape.outElements);
    case Parameter::Scratch: return buffer(type, Fill::Zero, shape.n);
    case Parameter::Partials: return buffer(type, Fill::Zero, shape.blocks());
    case Parameter::N: return scalar(shape.n);
    case Parameter::Width: return scalar(shape.width);
    case Parameter::Height: return scalar(shape.height);
    case Parameter::Counter: break;
  }
  return buffer(ArgumentType::U32, Fill::Zero, 1);
}

}  // namespace

ArgumentType argumentTypeOf(ElementType type) {
  switch (type) {
    case ElementType::Float: return ArgumentType::F32;
    case ElementType::Double: return ArgumentType::F64;
    case ElementType::Int: return ArgumentType::I32;
  }
  return ArgumentType::F32;
}

bool isOfElements(Parameter parameter) {
  switch (parameter) {
    case Parameter::In:
    case Parameter::B:
    case Parameter::Out:
    case Parameter::Scratch:
    case Parameter::Partials: return true;
    case Parameter::N:
    case Parameter::Width:
    case Parameter::Height:
    case Parameter::Counter: break;
  }
  return false;
}

Result<Launch> launchOf(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                        const MachineModel& machine, ElementType type) {
  const auto shape = shapeOverBlocks(strategy, n, blocks, machine.warpSize, type);
  if (!shape) return shape.error();
  return launchOf(strategy, *shape, machine);
}

Launch launchOf(const Strategy& strategy, const StrategyShape& shape, const MachineModel& machine) {
  Launch launch;
  launch.source = std::make_shared<SourceText>(std::string(strategy.file),
                                               withElements(strategy.source, ElementType::Float, shape.type));
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
