#include "sim/language/text/toolkit_headers.h"

#include <algorithm>
#include <array>

#include "sim/base/words.h"

namespace lanescope {
namespace {

/// The name of an `#include <…>` at the start of the line. Empty if there is none.
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

std::span<const ForwardingHeaders> forwardingHeaders() {
  static constexpr auto kForwarding = std::to_array<ForwardingHeaders>(
      {{"cuda_runtime.h",
        "builtin_types.h channel_descriptor.h common_functions.h cuda_device_runtime_api.h "
        "cuda_runtime_api.h "
        "cuda_texture_types.h cudart_platform.h device_atomic_functions.h "
        "device_double_functions.h device_functions.h device_launch_parameters.h device_types.h "
        "driver_functions.h host_config.h host_defines.h library_types.h math_functions.h "
        "math_functions_dbl_ptx3.h sm_20_atomic_functions.h sm_20_intrinsics.h sm_30_intrinsics.h "
        "sm_32_atomic_functions.h sm_32_intrinsics.h sm_35_intrinsics.h sm_60_atomic_functions.h "
        "sm_61_intrinsics.h surface_functions.h surface_types.h texture_fetch_functions.h texture_types.h"},
       {"lanescope_libcu.h",
        "cuda/atomic cuda/barrier cuda/pipeline cuda/std/array cuda/std/atomic cuda/std/barrier "
        "cuda/std/cassert cuda/std/cfloat cuda/std/climits cuda/std/cmath cuda/std/cstddef cuda/std/cstdint "
        "cuda/std/cstring cuda/std/functional cuda/std/limits cuda/std/span cuda/std/tuple "
        "cuda/std/type_traits cuda/std/utility"},
       {"vector_types.h", "vector_functions.h"},
       {"nvToolsExt.h", "nvtx3/nvToolsExt.h"},
       {"cooperative_groups.h", "cooperative_groups/reduce.h cooperative_groups/scan.h"}});
  return kForwarding;
}

bool isToolkitHeader(std::string_view name) {
  static const std::set<std::string_view> kHeaders = [] {
    std::set<std::string_view> names = wordsIn(
        "cooperative_groups.h cuComplex.h cublas_v2.h cuda.h cudaProfiler.h cuda_bf16.h cuda_fp16.h "
        "cuda_fp8.h "
        "cuda_gl_interop.h cuda_pipeline.h cuda_profiler_api.h cuda_runtime.h cufft.h curand.h "
        "curand_kernel.h "
        "cusolverDn.h cusparse.h driver_types.h math_constants.h mma.h nvToolsExt.h nvrtc.h vector_types.h");
    for (const ForwardingHeaders& each : forwardingHeaders()) names.merge(wordsIn(each.names));
    return names;
  }();
  constexpr std::array<std::string_view, 6> kFolders{
      "cooperative_groups/", "crt/", "cub/", "cuda/", "nvtx3/", "thrust/"};
  const auto beginsName = [&](std::string_view folder) { return name.starts_with(folder); };
  return std::ranges::any_of(kFolders, beginsName) || kHeaders.contains(name);
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
  static const std::set<std::string_view> kOfC =
      wordsIn("assert ctype errno float limits math stdbool stddef stdint stdio stdlib string time");
  const auto isOfWord = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  if (name.ends_with(".h")) return kOfC.contains(name.substr(0, name.size() - 2));
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
