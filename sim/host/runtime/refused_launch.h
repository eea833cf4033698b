#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/host/runtime/device.h"
#include "sim/machine/compile/bytecode.h"

namespace lanescope::host {

/// The reason CUDA 13 refuses a launch with cudaErrorInvalidValue, as a sentence without its full stop: the
/// extents, the kernel's `__launch_bounds__` (as measured on an H200), more than `mostSharedBytes` of shared
/// memory; nullopt if it does not refuse. Earlier releases had cudaErrorInvalidConfiguration for the extents.
std::optional<std::string> findRefusal(const Bytecode& kernel, const Configuration& configuration,
                                       std::uint64_t mostSharedBytes);

}  // namespace lanescope::host
