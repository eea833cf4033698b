// The macros of CUDA 13.0 that programs ask for, read off `nvcc -E -Xcompiler -dM` with an `#include` of each
// header.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "sim/base/words.h"
#include "sim/language/text/toolkit_headers.h"

namespace lanescope {
namespace {

#define LANESCOPE_TEXT_OF(macro) #macro
#define LANESCOPE_PREDEFINED(macro) \
  PredefinedMacro { #macro, LANESCOPE_TEXT_OF(macro) }

/// Macros of the compiler that this binary was built with: nvcc has those of the host's compiler. One that is
/// not defined has its own name as its value.
constexpr auto kOfCompiler = std::to_array<PredefinedMacro>({
    LANESCOPE_PREDEFINED(__GNUC__),
    LANESCOPE_PREDEFINED(__GNUC_MINOR__),
    LANESCOPE_PREDEFINED(__GNUC_PATCHLEVEL__),
    LANESCOPE_PREDEFINED(__GNUG__),
    LANESCOPE_PREDEFINED(__STDC__),
    LANESCOPE_PREDEFINED(__STDC_HOSTED__),
    LANESCOPE_PREDEFINED(__linux__),
    LANESCOPE_PREDEFINED(__linux),
    LANESCOPE_PREDEFINED(__gnu_linux__),
    LANESCOPE_PREDEFINED(__unix__),
    LANESCOPE_PREDEFINED(__unix),
    LANESCOPE_PREDEFINED(__ELF__),
    LANESCOPE_PREDEFINED(__x86_64__),
    LANESCOPE_PREDEFINED(__x86_64),
    LANESCOPE_PREDEFINED(__amd64__),
    LANESCOPE_PREDEFINED(__aarch64__),
    LANESCOPE_PREDEFINED(__LP64__),
    LANESCOPE_PREDEFINED(_LP64),
    LANESCOPE_PREDEFINED(__CHAR_BIT__),
    LANESCOPE_PREDEFINED(__SCHAR_MAX__),
    LANESCOPE_PREDEFINED(__SHRT_MAX__),
    LANESCOPE_PREDEFINED(__INT_MAX__),
    LANESCOPE_PREDEFINED(__LONG_MAX__),
    LANESCOPE_PREDEFINED(__LONG_LONG_MAX__),
    LANESCOPE_PREDEFINED(__SIZEOF_SHORT__),
    LANESCOPE_PREDEFINED(__SIZEOF_INT__),
    LANESCOPE_PREDEFINED(__SIZEOF_LONG__),
    LANESCOPE_PREDEFINED(__SIZEOF_LONG_LONG__),
    LANESCOPE_PREDEFINED(__SIZEOF_INT128__),
    LANESCOPE_PREDEFINED(__SIZEOF_FLOAT__),
    LANESCOPE_PREDEFINED(__SIZEOF_DOUBLE__),
    LANESCOPE_PREDEFINED(__SIZEOF_POINTER__),
    LANESCOPE_PREDEFINED(__SIZEOF_SIZE_T__),
    LANESCOPE_PREDEFINED(__ORDER_LITTLE_ENDIAN__),
    LANESCOPE_PREDEFINED(__ORDER_BIG_ENDIAN__),
    LANESCOPE_PREDEFINED(__BYTE_ORDER__),
});

#undef LANESCOPE_PREDEFINED
#undef LANESCOPE_TEXT_OF

}  // namespace

std::span<const PredefinedMacro> nvccMacros() {
  static constexpr auto kMacros = std::to_array<PredefinedMacro>({
      {"__CUDACC__", "1"},
      {"__NVCC__", "1"},
      {"__CUDACC_VER_MAJOR__", "13"},
      {"__CUDACC_VER_MINOR__", "0"},
      {"__CUDACC_VER_BUILD__", "88"},
      {"__CUDA_API_VER_MAJOR__", "13"},
      {"__CUDA_API_VER_MINOR__", "0"},
      {"__CUDA_ARCH_LIST__", "900"},
      {"__NVCC_DIAG_PRAGMA_SUPPORT__", "1"},
      {"__CUDACC_DEVICE_ATOMIC_BUILTINS__", "1"},
  });
  return kMacros;
}

std::span<const PredefinedMacro> hostCompilerMacros() { return kOfCompiler; }

std::string_view keptWords() {
  return "__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ "
         "__forceinline__ __noinline__ __inline_hint__ __launch_bounds__ __cluster_dims__ __block_size__ "
         "__maxnreg__ __nv_pure__";
}

namespace {

struct HeaderMacros {
  std::string_view header;
  std::string_view own;
  std::string_view includes;  ///< other headers, whose macros it has, too
};

// nvcc includes cuda_runtime.h before a text's first line, and with it all the headers whose guards are here.
constexpr auto kOfHeaders = std::to_array<HeaderMacros>(
    {{"cuda_runtime.h",
      "CUDART_VERSION=13000 __CUDART_API_VERSION=13000 __CHANNEL_DESCRIPTOR_H__ __COMMON_FUNCTIONS_H__ "
      "__CUDA_DEVICE_RUNTIME_API_H__ __CUDA_RUNTIME_API_H__ __CUDA_RUNTIME_H__ "
      "__DEVICE_ATOMIC_FUNCTIONS_H__ __DEVICE_DOUBLE_FUNCTIONS_HPP__ __DEVICE_DOUBLE_FUNCTIONS_H__ "
      "__DEVICE_FUNCTIONS_HPP__ __DEVICE_FUNCTIONS_H__ __DEVICE_LAUNCH_PARAMETERS_H__ __DEVICE_TYPES_H__ "
      "__DRIVER_FUNCTIONS_H__ __DRIVER_TYPES_H__ __HOST_CONFIG_H__ __HOST_DEFINES_H__ "
      "__LIBRARY_TYPES_H__ __MATH_FUNCTIONS_HPP__ __MATH_FUNCTIONS_H__ __SM_20_ATOMIC_FUNCTIONS_H__ "
      "__SM_20_INTRINSICS_H__ __SM_30_INTRINSICS_H__ __SM_32_ATOMIC_FUNCTIONS_H__ __SM_32_INTRINSICS_H__ "
      "__SM_35_ATOMIC_FUNCTIONS_H__ __SM_35_INTRINSICS_H__ __SM_60_ATOMIC_FUNCTIONS_H__ "
      "__SM_61_INTRINSICS_H__ __SM_70_RT_H__ __SM_80_RT_H__ __SM_90_RT_H__ __SURFACE_INDIRECT_FUNCTIONS_H__ "
      "__SURFACE_TYPES_H__ __TEXTURE_INDIRECT_FUNCTIONS_H__ __TEXTURE_TYPES_H__ __VECTOR_FUNCTIONS_HPP__ "
      "__VECTOR_FUNCTIONS_H__ __VECTOR_TYPES_H__",
      ""},
     {"cuda.h", "__cuda_cuda_h__ CUDA_VERSION=13000", ""},
     {"nv/target", "__NV_TARGET_H", ""},
     {"cuda_fp16.h", "__CUDA_FP16_H__ __CUDA_FP16_HPP__", "nv/target"},
     {"cuda_bf16.h", "__CUDA_BF16_H__ __CUDA_BF16_HPP__", "cuda_fp16.h"},
     {"mma.h", "__CUDA_MMA_H__", "cuda_bf16.h"},
     {"curand.h", "CURAND_H_", ""},
     {"curand_kernel.h",
      "CURAND_KERNEL_H_ CURAND_DISCRETE_H_ CURAND_GLOBALS_H CURAND_LOGNORMAL_H_ CURAND_MTGP32_H "
      "CURAND_NORMAL_H_ "
      "CURAND_PHILOX4X32_X__H_ CURAND_POISSON_H_ CURAND_UNIFORM_H_",
      "curand.h nv/target"},
     {"cooperative_groups.h", "_COOPERATIVE_GROUPS_H_ _CG_VERSION=1000 _CG_ABI_VERSION=1", "cuda_bf16.h"},
     {"cooperative_groups/reduce.h", "_COOPERATIVE_GROUPS_REDUCE_H _CG_REDUCE_H_", "cooperative_groups.h"},
     {"cooperative_groups/scan.h", "_COOPERATIVE_GROUPS_SCAN_H _CG_SCAN_H_", "cooperative_groups.h"},
     {"cuComplex.h", "CU_COMPLEX_H_", ""},
     {"cuda_profiler_api.h", "__CUDA_PROFILER_API_H__", ""},
     {"math_constants.h", "__MATH_CONSTANTS_H__", ""},
     {"nvtx3/nvToolsExt.h", "NVTX_VERSION=3", ""},
     {"cublas_api.h", "CUBLAS_API_H_", "cuComplex.h cuda_bf16.h"},
     {"cublas_v2.h", "CUBLAS_V2_H_", "cublas_api.h"},
     {"cublas.h", "CUBLAS_H_", "cublas_api.h"},
     {"cufft.h", "_CUFFT_H_ CUFFT_VERSION=12000", "cuComplex.h"},
     {"cusparse.h", "CUSPARSE_H_", "cuComplex.h cuda_fp16.h"},
     {"cusolverDn.h", "CUSOLVERDN_H_ CUSOLVER_COMMON_H_", "cublas_v2.h"},
     {"cuda_pipeline.h", "_CUDA_PIPELINE_H_ _CUDA_PIPELINE_PRIMITIVES_H_ _CUDA_AWBARRIER_H_", "nv/target"},
     {"nvrtc.h", "__NVRTC_H__", ""}});

std::set<std::string_view> allMacrosOf(std::string_view header) {
  const auto* const found = std::ranges::find(kOfHeaders, header, &HeaderMacros::header);
  if (found == kOfHeaders.end()) return {};
  std::set<std::string_view> all = wordsIn(found->own);
  for (const std::string_view included : wordsIn(found->includes)) all.merge(allMacrosOf(included));
  return all;
}

}  // namespace

std::string_view macrosOfHeader(std::string_view header) {
  static const auto kMacros = [] {
    std::map<std::string_view, std::string> all;
    for (const HeaderMacros& each : kOfHeaders) {
      std::string& list = all[each.header];
      for (const std::string_view macro : allMacrosOf(each.header)) {
        if (!list.empty()) list += ' ';
        list += macro;
      }
    }
    return all;
  }();
  const auto found = kMacros.find(header);
  return found == kMacros.end() ? std::string_view() : found->second;
}

}  // namespace lanescope
