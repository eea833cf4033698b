#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/strategies/catalogue.h"
#include "kernels/strategies/experiment.h"
#include "kernels/strategies/shape.h"
#include "sim/machine/run/launch.h"

namespace lanescope {

/// The type of a launch's elements, and the operator that joins two of them.
struct ElementKind {
  ElementType type = ElementType::Float;
  std::string op;  ///< one of the strategy's operators; empty: its first, or it has no choice
  auto operator<=>(const ElementKind&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

/// The kind of a launch: the type of its first buffer that a strategy's elements can have; the operator in
/// its kernel's name, if that is not the first of the strategy's (nullptr: a file, which has none).
ElementKind elementKind(const Launch& launch, const Strategy* strategy);

/// The operator of a strategy that a name means, in any case, or its beginning: `min` for `Minimum`. Errors:
/// it has none to choose from, none of that name, or several.
Result<std::string> findOperator(const Strategy& strategy, std::string_view name);

/// The type of a buffer's elements.
ArgumentType toArgumentType(ElementType type);
/// True if a parameter is a buffer of elements: a counter is not.
bool isOfElements(Parameter parameter);

/// The launch of a strategy over `n` hashed elements (0 to 99) with `blocks` blocks; a transpose or a picture
/// has as many as its tiles (blocks = 1). The text is that for the type of element; the kernel that for the
/// operator, if the strategy has it. Errors: those of shapeOverBlocks (kernels/strategies).
Result<Launch> makeLaunch(const Strategy& strategy, std::uint64_t n, std::uint64_t blocks,
                          const MachineModel& machine, ElementType type = ElementType::Float,
                          std::string_view op = {});
/// The same for a shape that was chosen already.
Launch makeLaunch(const Strategy& strategy, const StrategyShape& shape, const MachineModel& machine);
/// The launch of an experiment's variant in the simulator: over the experiment's smaller N, with its block
/// and, for a kernel that strides over its grid, the blocks of one SM, on the first machine (`nvidia`).
/// Errors: those of shapeOfThreads.
Result<Launch> makeLaunch(const Variant& variant, const Experiment& experiment);

/// Block counts that the app offers, if they divide N.
inline constexpr std::array<std::uint64_t, 7> kBlockCounts{1, 2, 4, 8, 16, 32, 64};
/// The fewest of them that can share `n` elements of a strategy; nullopt if none can.
std::optional<std::uint64_t> fewestBlocks(const Strategy& strategy, std::uint64_t n,
                                          const MachineModel& machine, ElementType type = ElementType::Float);

/// The input's data for an operator, so that its result means something: of the usual ones the first is 0,
/// which is their product and their minimum before any work is done.
Fill fillFor(std::string_view op);
/// If the launch's kernel is instantiated with another of the strategy's operators: sets its input's data for
/// it.
void fillForOperator(Launch& launch, const Strategy& strategy);

}  // namespace lanescope
