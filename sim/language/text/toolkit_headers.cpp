#include "sim/language/text/toolkit_headers.h"

#include <algorithm>
#include <array>

namespace lanescope {
namespace {

/// The name of an `#include <…>` at the line's begin; empty where there is none.
std::string_view bracketedName(std::string_view line) {
  for (const std::string_view word : {"#", "include", "<"}) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(word)) return {};
    line.remove_prefix(word.size());
  }
  const std::size_t end = line.find('>');
  return end == std::string_view::npos ? std::string_view() : line.substr(0, end);
}

}  // namespace

bool isToolkitHeader(std::string_view name) {
  constexpr std::array<std::string_view, 6> kFolders{
      "cooperative_groups/", "crt/", "cub/", "cuda/", "nvtx3/", "thrust/"};
  constexpr std::array<std::string_view, 54> kHeaders{"builtin_types.h",
                                                      "channel_descriptor.h",
                                                      "common_functions.h",
                                                      "cooperative_groups.h",
                                                      "cuComplex.h",
                                                      "cublas_v2.h",
                                                      "cuda.h",
                                                      "cudaProfiler.h",
                                                      "cuda_bf16.h",
                                                      "cuda_device_runtime_api.h",
                                                      "cuda_fp16.h",
                                                      "cuda_fp8.h",
                                                      "cuda_gl_interop.h",
                                                      "cuda_pipeline.h",
                                                      "cuda_profiler_api.h",
                                                      "cuda_runtime.h",
                                                      "cuda_runtime_api.h",
                                                      "cuda_texture_types.h",
                                                      "cudart_platform.h",
                                                      "cufft.h",
                                                      "curand.h",
                                                      "curand_kernel.h",
                                                      "cusolverDn.h",
                                                      "cusparse.h",
                                                      "device_atomic_functions.h",
                                                      "device_double_functions.h",
                                                      "device_functions.h",
                                                      "device_launch_parameters.h",
                                                      "device_types.h",
                                                      "driver_functions.h",
                                                      "driver_types.h",
                                                      "host_config.h",
                                                      "host_defines.h",
                                                      "library_types.h",
                                                      "math_constants.h",
                                                      "math_functions.h",
                                                      "math_functions_dbl_ptx3.h",
                                                      "mma.h",
                                                      "nvToolsExt.h",
                                                      "nvrtc.h",
                                                      "sm_20_atomic_functions.h",
                                                      "sm_20_intrinsics.h",
                                                      "sm_30_intrinsics.h",
                                                      "sm_32_atomic_functions.h",
                                                      "sm_32_intrinsics.h",
                                                      "sm_35_intrinsics.h",
                                                      "sm_60_atomic_functions.h",
                                                      "sm_61_intrinsics.h",
                                                      "surface_functions.h",
                                                      "surface_types.h",
                                                      "texture_fetch_functions.h",
                                                      "texture_types.h",
                                                      "vector_functions.h",
                                                      "vector_types.h"};
  const auto beginsName = [&](std::string_view folder) { return name.starts_with(folder); };
  return std::ranges::any_of(kFolders, beginsName) || std::ranges::count(kHeaders, name) > 0;
}

bool isDeviceHeader(std::string_view name) {
  constexpr std::array<std::string_view, 4> kFolders{"cooperative_groups/", "cub/", "cuda/", "thrust/"};
  constexpr std::array<std::string_view, 9> kHeaders{
      "cooperative_groups.h", "cuComplex.h",     "cuda_bf16.h",      "cuda_fp16.h", "cuda_fp8.h",
      "cuda_pipeline.h",      "curand_kernel.h", "math_constants.h", "mma.h"};
  const auto beginsName = [&](std::string_view folder) { return name.starts_with(folder); };
  return std::ranges::any_of(kFolders, beginsName) || std::ranges::count(kHeaders, name) > 0;
}

bool isStandardHeader(std::string_view name) {
  constexpr std::array<std::string_view, 13> kOfC{"assert", "ctype",   "errno",  "float",  "limits",
                                                  "math",   "stdbool", "stddef", "stdint", "stdio",
                                                  "stdlib", "string",  "time"};
  const auto isOfWord = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  if (name.ends_with(".h")) return std::ranges::count(kOfC, name.substr(0, name.size() - 2)) > 0;
  return !name.empty() && std::ranges::all_of(name, isOfWord);
}

std::set<std::string> bracketedIncludes(std::string_view text) {
  std::set<std::string> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view name = bracketedName(text.substr(0, end));
    if (!name.empty()) names.emplace(name);
    text.remove_prefix(end + 1);
  }
  return names;
}

}  // namespace lanescope
