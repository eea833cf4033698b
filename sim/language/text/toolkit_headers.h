// The headers that come with the CUDA Toolkit.
#pragma once

#include <string_view>

namespace lanescope {

/// Whether `#include <name>` means a header of the CUDA Toolkit, as "cuda_runtime.h" or "cub/cub.cuh". What
/// the simulator knows of them it knows without the file, so they are not looked for. The `helper_*.h` of
/// NVIDIA's samples are not among them: a repository has its own.
bool isToolkitHeader(std::string_view name);

}  // namespace lanescope
