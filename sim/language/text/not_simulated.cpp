#include "sim/language/text/not_simulated.h"

#include <fmt/format.h>

#include <array>

namespace lanescope {
namespace {

struct Part {
  std::string_view begin;  ///< of its names
  std::string_view what;
  std::string_view way;
};

constexpr std::string_view kTextures = "textures are not simulated";
constexpr std::string_view kReadArray = "read the array through a pointer, as in[y * width + x]";
constexpr std::string_view kSurfaces = "surfaces are not simulated";
constexpr std::string_view kTensorCores = "tensor cores are not simulated";
constexpr std::string_view kMultiply = "multiply the tiles with products and sums of the threads' own";
constexpr std::string_view kAsynchronous =
    "asynchronous copies, pipelines and their barriers are not simulated";
constexpr std::string_view kCopy = "load into a variable, store it to shared memory, then __syncthreads()";
constexpr std::string_view kRandom =
    "of cuRAND only the most used functions of XORWOW and Philox are simulated";
constexpr std::string_view kOwnRandom =
    "use curandState or curandStatePhilox4_32_10_t, with curand, curand_uniform or curand_normal";
constexpr std::string_view kLibrary = "libraries of templates (CUB, Thrust, CUTLASS) are not simulated";
constexpr std::string_view kByHand = "write it with shuffles and shared memory";
constexpr std::string_view kRuntime = "the CUDA runtime is not simulated within a kernel";
constexpr std::string_view kOnHost = "call it on the host";
constexpr std::string_view kClusters = "clusters of blocks are not simulated";
constexpr std::string_view kBlocks = "let blocks share global memory";
constexpr std::string_view kClasses = "classes of the C++ library are not simulated in a kernel";
constexpr std::string_view kArrays = "use arrays, structs and pointers";
constexpr std::string_view kComplex = "use cuFloatComplex or cuDoubleComplex of <cuComplex.h>";
constexpr std::string_view kConditional = "conditional nodes of graphs are not simulated";
constexpr std::string_view kHostDecides = "let the host look at the value, and launch what comes next";
constexpr std::string_view kAtomics = "atomic objects of the host are not simulated";
constexpr std::string_view kFunctions =
    "use cuda::atomic_ref of <cuda/atomic>, or atomicAdd and its kin on a pointer";
constexpr std::string_view kBytes = "floating numbers of 8 bits and fewer are not simulated";
constexpr std::string_view kHalves = "use half or float";

/// The first whose names begin so.
constexpr std::array<Part, 44> kParts = {{{"cudaTextureObject_t", kTextures, kReadArray},
                                          {"texture", kTextures, kReadArray},
                                          {"tex1D", kTextures, kReadArray},
                                          {"tex2D", kTextures, kReadArray},
                                          {"tex3D", kTextures, kReadArray},
                                          {"texCubemap", kTextures, kReadArray},
                                          {"cudaSurfaceObject_t", kSurfaces, kReadArray},
                                          {"surface", kSurfaces, kReadArray},
                                          {"surf1D", kSurfaces, kReadArray},
                                          {"surf2D", kSurfaces, kReadArray},
                                          {"surf3D", kSurfaces, kReadArray},
                                          {"nvcuda", kTensorCores, kMultiply},
                                          {"wmma", kTensorCores, kMultiply},
                                          {"wgmma", kTensorCores, kMultiply},
                                          {"curand", kRandom, kOwnRandom},
                                          {"cub", kLibrary, kByHand},
                                          {"thrust", kLibrary, kByHand},
                                          {"cutlass", kLibrary, kByHand},
                                          {"cute", kLibrary, kByHand},
                                          {"__pipeline_", kAsynchronous, kCopy},
                                          {"__cp_async", kAsynchronous, kCopy},
                                          {"__mbarrier", kAsynchronous, kCopy},
                                          {"cuda::pipeline", kAsynchronous, kCopy},
                                          {"cuda::make_pipeline", kAsynchronous, kCopy},
                                          {"cuda::memcpy_async", kAsynchronous, kCopy},
                                          {"cuda::barrier", kAsynchronous, kCopy},
                                          {"cuda::aligned_size_t", kAsynchronous, kCopy},
                                          {"cg::memcpy_async", kAsynchronous, kCopy},
                                          {"cg::wait", kAsynchronous, kCopy},
                                          {"cg::this_cluster", kClusters, kBlocks},
                                          {"cg::cluster_group", kClusters, kBlocks},
                                          {"std::atomic", kAtomics, kFunctions},
                                          {"__nv_fp", kBytes, kHalves},
                                          {"std::vector", kClasses, kArrays},
                                          {"std::string", kClasses, kArrays},
                                          {"std::tuple", kClasses, kArrays},
                                          {"std::complex", kClasses, kComplex},
                                          {"std::map", kClasses, kArrays},
                                          {"std::set", kClasses, kArrays},
                                          {"std::function", kClasses, kArrays},
                                          {"std::mdspan", kClasses, kArrays},
                                          {"cudaGraphConditionalHandle", kConditional, kHostDecides},
                                          {"cudaGraphSetConditional", kConditional, kHostDecides},
                                          {"cuda", kRuntime, kOnHost}}};

bool isWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whole words, or what begins a family of names: `cub::…` but not `cube`, `tex2DLod`, `curand_init`.
bool isOf(std::string_view name, const Part& part) {
  if (!name.starts_with(part.begin)) return false;
  const std::string_view rest = name.substr(part.begin.size());
  const bool isFamily = part.what != kLibrary && part.what != kRuntime;
  const bool isRuntime = part.what == kRuntime && !rest.empty() && rest[0] >= 'A' && rest[0] <= 'Z';
  if (part.what == kRuntime && rest.starts_with("::")) return false;  // a namespace of the text's
  return isFamily || isRuntime || rest.empty() || !isWordPart(rest[0]);
}

}  // namespace

Diagnostic hostClassFault(std::string_view name, SourceSpan span) {
  return {fmt::format("'{}': {}", name, kClasses), std::string(kArrays), span};
}

std::optional<Diagnostic> notSimulated(std::string_view name, SourceSpan span) {
  for (const Part& part : kParts) {
    if (isOf(name, part)) {
      return Diagnostic{fmt::format("'{}': {}", name, part.what), std::string(part.way), span};
    }
  }
  return std::nullopt;
}

}  // namespace lanescope
