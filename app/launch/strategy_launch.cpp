#include "app/launch/strategy_launch.h"

#include <algorithm>
#include <vector>

#include "app/launch/element_text.h"

namespace lanescope {
namespace {

Argument buffer(ArgumentType type, Fill fill, std::uint64_t count) {
  return {.type = type, .isBuffer = true, .fill = fill, .count = count};
}

Argument scalar(std::uint64_t value) { return {.type = ArgumentType::U32, .integer = value}; }

Argument findArgument(Parameter parameter, const StrategyShape& shape) {
  const ArgumentType type = toArgumentType(shape.type);
  switch (parameter) {
    case Parameter::In:
    case Parameter::B: return buffer(type, Fill::Hash, shape.n);
    case Parameter::Out: return buffer(type, Fill::Zero, shape.outElements);
    case Parameter::Scratch: return buffer(type, Fill::Zero, shape.n);
    case Parameter::Partials: return buffer(type, Fill::Zero, shape.blocks());
    case Parameter::Next: return buffer(type, Fill::Hash, 1);
    case Parameter::N: return scalar(shape.n);
    case Parameter::Width: return scalar(shape.width);
    case Parameter::Height: return scalar(shape.height);
    case Parameter::Counter: break;
  }
  return buffer(ArgumentType::U32, Fill::Zero, 1);
}

}  // namespace

ElementKind elementKind(const Launch& launch, const Strategy* strategy) {
  ElementKind kind;
  for (const Argument& argument : launch.arguments) {
    if (!argument.isBuffer) continue;
    const bool isFloat = argument.type == ArgumentType::F32 || argument.type == ArgumentType::F32x4;
    if (argument.type == ArgumentType::F64) kind.type = ElementType::Double;
    if (argument.type == ArgumentType::I32) kind.type = ElementType::Int;
    if (isFloat || kind.type != ElementType::Float) break;
  }
  if (strategy == nullptr) return kind;
  for (std::size_t i = 1; i < strategy->operators.size(); ++i) {
    if (launch.kernel == kernelName(*strategy, launch.block.x, 0, strategy->operators[i]))
      kind.op = strategy->operators[i];
  }
  return kind;
}

Result<std::string> findOperator(const Strategy& strategy, std::string_view name) {
  const std::string id(strategy.id);
  if (strategy.operators.empty()) return Error{"'" + id + "' has one operator and no choice of another.", ""};
  const auto lower = [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter; };
  std::vector<std::string> meant;
  std::string all;
  for (const std::string& op : strategy.operators) {
    all += (all.empty() ? "" : ", ") + op;
    const std::string_view start = std::string_view(op).substr(0, name.size());
    if (!name.empty() && std::ranges::equal(start, name, {}, lower, lower)) meant.push_back(op);
  }
  if (meant.size() == 1) return meant.front();
  return Error{"'" + std::string(name) + "' is " +
                   (meant.empty() ? "no operator" : "more than one operator") + " of '" + id + "'.",
               "It has " + all + "."};
}

ArgumentType toArgumentType(ElementType type) {
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
    case Parameter::Partials:
    case Parameter::Next: return true;
    case Parameter::N:
    case Parameter::Width:
    case Parameter::Height:
    case Parameter::Counter: break;
  }
  return false;
}

Fill fillFor(std::string_view op) {
  if (op == "Product") return Fill::Factors;
  return op == "Minimum" ? Fill::Least : Fill::Hash;
}

void fillForOperator(Launch& launch, const Strategy& strategy) {
  const std::string op = elementKind(launch, &strategy).op;
  if (op.empty()) return;
  for (std::size_t i = 0; i < launch.arguments.size() && i < strategy.parameters.size(); ++i) {
    Argument& argument = launch.arguments[i];
    if (strategy.parameters[i] == Parameter::In && argument.fill == Fill::Hash) argument.fill = fillFor(op);
  }
}

Result<Launch> makeLaunch(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                          const MachineModel& machine, ElementType type, std::string_view op) {
  auto shape = shapeOverBlocks(strategy, n, blocks, machine.warpSize, type);
  if (!shape) return shape.error();
  if (std::ranges::find(strategy.operators, op) != strategy.operators.end()) {
    shape->op = op;
    shape->kernel = kernelName(strategy, shape->blockX, 0, shape->op);
  }
  return makeLaunch(strategy, *shape, machine);
}

std::optional<std::uint64_t> fewestBlocks(const Strategy& strategy, std::uint64_t n,
                                          const MachineModel& machine, ElementType type) {
  const auto* const fewest = std::ranges::find_if(kBlockCounts, [&](std::uint64_t blocks) {
    return shapeOverBlocks(strategy, n, blocks, machine.warpSize, type).ok();
  });
  return fewest == kBlockCounts.end() ? std::nullopt : std::optional(*fewest);
}

Launch makeLaunch(const Strategy& strategy, const StrategyShape& shape, const MachineModel& machine) {
  Launch launch;
  launch.source = std::make_shared<SourceText>(std::string(strategy.file),
                                               withElements(strategy.source, ElementType::Float, shape.type));
  launch.kernel = shape.kernel;
  launch.grid = {shape.gridX, shape.gridY, 1};
  launch.block = {shape.blockX, shape.blockY, 1};
  launch.dynamicSharedBytes = shape.dynamicSharedBytes;
  launch.machine = machine;
  for (const Parameter parameter : strategy.parameters)
    launch.arguments.push_back(findArgument(parameter, shape));
  fillForOperator(launch, strategy);
  return launch;
}

Result<Launch> makeLaunch(const Variant& variant, const Experiment& experiment) {
  const auto shape = variant.shape(experiment.simulatedN, 1, experiment.type);
  if (!shape) return shape.error();
  return makeLaunch(variant.strategy, *shape, machinePresets().front());
}

}  // namespace lanescope
