#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "sim/machine/compile/compiled_kernel.h"
#include "sim/machine/run/captured_launch.h"

namespace lanescope::host {

/// The most bytes of memory that a captured launch may reach: as many as a trace has room for.
inline constexpr std::uint64_t kMostCapturedBytes = std::uint64_t{24} << 20;

/// The part of a program's memory that a launch reaches: the buffers that its pointers lead to, and the ones
/// that pointers in these lead to, numbered in that order, with the pointers changed to match. A pointer
/// that leads nowhere is kept as it is. Error: more than kMostCapturedBytes.
Result<GivenArguments> reachedBy(const CompiledKernel& kernel,
                                 std::span<const std::span<const std::byte>> parameters,
                                 std::span<const std::span<std::byte>> buffers,
                                 const std::map<std::string, std::uint64_t, std::less<>>& symbols);

}  // namespace lanescope::host
