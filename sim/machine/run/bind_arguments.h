#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/language/check/type.h"
#include "sim/base/diagnostic.h"
#include "sim/machine/compile/bytecode.h"
#include "sim/machine/run/launch.h"
#include "sim/machine/run/warp_state.h"
#include "sim/memory/device_memory.h"

namespace lanescope {

/// The memory and values that a launch's own arguments and symbols give a kernel.
struct BoundArguments {
  std::vector<std::uint64_t> parameterBits;  ///< by parameter; for a struct by its scalars (findLeaves)
  /// Filled: the buffers of the arguments, of the variables at file scope, then the buffers that structs
  /// point to.
  DeviceMemory memory;
  std::vector<BufferName> buffers;  ///< by buffer
};

/// Errors: the number of arguments, a type or a field differs from the kernel's; more bytes than the limit.
Result<BoundArguments> bindArguments(const Launch& launch, const Bytecode& code);

/// A parameter's own name: `A` if the first of its variables is `A.width`.
std::string parameterName(const Bytecode& code, std::size_t parameter);

}  // namespace lanescope
