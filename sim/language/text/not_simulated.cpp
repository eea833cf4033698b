#include "sim/language/text/not_simulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/words.h"

namespace lanescope {
namespace {

/// Which names belong to a part that begin with one of its names and continue as a word.
enum class Longer : std::uint8_t { All, None, Capitals };  // `tex2DLod`, not `cube`, `cudaMalloc`

struct Part {
  std::string_view begins;  ///< of its names
  std::string_view what;
  std::string_view way;
  Longer longer = Longer::All;
};

constexpr std::string_view kNoTextureReferences =
    "texture references were removed from CUDA in release 12, and textures are not simulated";
constexpr std::string_view kReadArray = "read the array through a pointer, as in[y * width + x]";
constexpr std::string_view kClasses = "classes of the C++ library are not simulated in a kernel";
constexpr std::string_view kArrays = "use arrays, structs and pointers";

/// A name belongs to the first part with a matching name.
constexpr auto kParts = std::to_array<Part>(
    {{"texture", kNoTextureReferences, kReadArray, Longer::None},
     {"cudaBindTexture cudaUnbindTexture", kNoTextureReferences, kReadArray},
     {"surface", "surface references were removed from CUDA in release 12, and surfaces are not simulated",
      kReadArray, Longer::None},
     {"cudaTextureObject_t tex1D tex2D tex3D texCubemap", "textures are not simulated", kReadArray},
     {"cudaSurfaceObject_t surf1D surf2D surf3D", "surfaces are not simulated", kReadArray},
     {"__int128 __int128_t __uint128_t", "integers of 128 bits are not simulated",
      "use two of 64 bits; __umul64hi(a, b) is the upper half of a product", Longer::None},
     {"std::convertible_to std::derived_from std::invocable std::regular_invocable std::predicate "
      "std::constructible_from std::assignable_from std::common_with std::copyable std::movable std::regular "
      "std::semiregular std::destructible std::default_initializable std::equality_comparable "
      "std::totally_ordered",
      "of <concepts> only integral, signed_integral, unsigned_integral, floating_point and same_as are "
      "simulated",
      "use the traits of <type_traits>", Longer::None},
     {"nvcuda wmma wgmma", "tensor cores are not simulated",
      "multiply the tiles with products and sums of the threads' own"},
     {"curand", "of cuRAND only the most used functions of XORWOW and Philox are simulated",
      "use curandState or curandStatePhilox4_32_10_t, with curand, curand_uniform or curand_normal"},
     {"cub thrust cutlass cute", "libraries of templates (CUB, Thrust, CUTLASS) are not simulated",
      "write it with shuffles and shared memory", Longer::None},
     {"__pipeline_ __cp_async __mbarrier cuda::pipeline cuda::make_pipeline cuda::memcpy_async cuda::barrier "
      "cuda::aligned_size_t cg::memcpy_async cg::wait",
      "asynchronous copies, pipelines and their barriers are not simulated",
      "load into a variable, store it to shared memory, then __syncthreads()"},
     {"cg::this_cluster cg::cluster_group", "clusters of blocks are not simulated",
      "let blocks share global memory"},
     {"std::atomic", "atomic objects of the host are not simulated",
      "use cuda::atomic_ref of <cuda/atomic>, or atomicAdd and its kin on a pointer"},
     {"__nv_fp", "floating numbers of 8 bits and fewer are not simulated", "use half or float"},
     {"std::complex", kClasses, "use cuFloatComplex or cuDoubleComplex of <cuComplex.h>"},
     {"std::vector std::string std::tuple std::map std::set std::function std::mdspan", kClasses, kArrays},
     {"cudaGraphConditionalHandle cudaGraphSetConditional", "conditional nodes of graphs are not simulated",
      "let the host look at the value, and launch what comes next"},
     {"cuda", "the CUDA runtime is not simulated within a kernel", "call it on the host", Longer::Capitals}});

bool isWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// True for a whole word or the start of a family of names: `cub::…` but not `cube`, `tex2DLod`,
/// `curand_init`.
bool matchesName(std::string_view name, std::string_view begin, Longer longer) {
  if (!name.starts_with(begin)) return false;
  const std::string_view rest = name.substr(begin.size());
  if (longer == Longer::All || rest.empty()) return true;
  if (longer == Longer::None) return !isWordPart(rest[0]);
  if (rest.starts_with("::")) return false;  // a namespace of the text's
  return (rest[0] >= 'A' && rest[0] <= 'Z') || !isWordPart(rest[0]);
}

}  // namespace

Diagnostic hostClassFault(std::string_view name, SourceSpan span) {
  return {fmt::format("'{}': {}", name, kClasses), std::string(kArrays), span};
}

std::optional<Diagnostic> notSimulated(std::string_view name, SourceSpan span) {
  static const auto kByBegin = [] {
    std::vector<std::pair<std::string_view, const Part*>> all;
    for (const Part& part : kParts) {
      for (const std::string_view begin : wordsIn(part.begins)) all.emplace_back(begin, &part);
    }
    return all;
  }();
  for (const auto& [begin, part] : kByBegin) {
    if (matchesName(name, begin, part->longer))
      return Diagnostic{fmt::format("'{}': {}", name, part->what), std::string(part->way), span};
  }
  return std::nullopt;
}

std::string wayToDeclare(std::string_view name) {
  const bool isMacro = std::ranges::all_of(
      name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
  const std::string way = "declare it, or mend its spelling";
  return isMacro ? fmt::format("{}; if the program's build defines it, give it with -D {}=VALUE", way, name)
                 : way;
}

}  // namespace lanescope
