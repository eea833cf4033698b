// The headers that come with the CUDA Toolkit, and those of C++ and C.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// The headers of the toolkit that only include another one of sim/host/include, `target`.
struct ForwardingHeaders {
  std::string_view target;
  std::string_view names;  ///< apart by blanks
};
std::span<const ForwardingHeaders> forwardingHeaders();

struct PredefinedMacro {
  std::string_view name;
  std::string_view value;
};
/// The macros that nvcc 13.0 defines in host and device code, for compute capability 9.0. In device code
/// there is also `__CUDA_ARCH__`.
std::span<const PredefinedMacro> nvccMacros();
/// The macros of the host's compiler, which nvcc has too. One whose value is its own name is not defined
/// here.
std::span<const PredefinedMacro> hostCompilerMacros();
/// The qualifiers that nvcc has as macros, apart by blanks: `#ifdef` finds them. Their uses stay as they are.
std::string_view keptWords();
/// The include guards and versions that a header of the toolkit and those that it includes define, as `NAME`
/// or `NAME=VALUE`, apart by blanks; empty if none are known.
std::string_view macrosOfHeader(std::string_view header);

/// True if `#include <name>` means a header of the CUDA Toolkit, such as "cuda_runtime.h" or "cub/cub.cuh".
/// The simulator needs no file for these, so they are not searched for. The `helper_*.h` of NVIDIA's samples
/// are not among them: a repository has its own.
bool isToolkitHeader(std::string_view name);

/// True if a header of the toolkit has anything for device code that the compiler does not have built in.
bool isDeviceHeader(std::string_view name);

/// True if it is, or may be, a header of C++ or C: "vector", "stdint.h".
bool isStandardHeader(std::string_view name);

/// The names that a text's lines include in brackets, regardless of #if: "cuda_runtime.h".
std::set<std::string> bracketedIncludes(std::string_view text);

}  // namespace lanescope
