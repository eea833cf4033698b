// The headers that come with the CUDA Toolkit, and those of C++ and C.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// The headers of the toolkit that have nothing for programs but another one of sim/host/include, `target`.
struct ForwardingHeaders {
  std::string_view target;
  std::string_view names;  ///< apart by blanks
};
std::span<const ForwardingHeaders> forwardingHeaders();

/// Whether `#include <name>` means a header of the CUDA Toolkit, as "cuda_runtime.h" or "cub/cub.cuh". What
/// the simulator knows of them it knows without the file, so they are not looked for. The `helper_*.h` of
/// NVIDIA's samples are not among them: a repository has its own.
bool isToolkitHeader(std::string_view name);

/// Whether one of the toolkit has anything for device code that its compiler does not know by itself.
bool isDeviceHeader(std::string_view name);

/// Whether it is, or may be, a header of C++ or C: "vector", "stdint.h".
bool isStandardHeader(std::string_view name);

/// The names that a text's lines include in brackets, whatever its #if say: "cuda_runtime.h".
std::set<std::string> bracketedIncludes(std::string_view text);

}  // namespace lanescope
