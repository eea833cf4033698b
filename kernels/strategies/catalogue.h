#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// A reduction that the app teaches: its kernel text is what the simulator runs and nvcc compiles.
/// Every kernel is `__global__ void NAME(const float* in, float* out)`; a block of D threads reduces
/// D * elementsPerThread floats to out[blockIdx.x].
struct Strategy {
  std::string_view id;      ///< `no-divergence`; the kernel's name with '-' for '_'
  std::string_view kernel;  ///< `no_divergence`
  std::string_view file;    ///< `no_divergence.cu`
  std::string_view source;  ///< the text of that file
  std::string_view lesson;  ///< Markdown, without its front matter
  std::string title;        ///< `No divergence`
  std::string summary;      ///< one sentence
  int order = 0;            ///< 1 for the first
  std::uint32_t elementsPerThread = 1;
  bool sharedPerWarp = false;  ///< dynamic shared floats: one a warp (true) or one a thread

  /// Dynamic shared memory of a block, in bytes.
  std::uint64_t sharedBytes(std::uint32_t blockThreads, std::uint32_t warpSize) const;
};

/// Every strategy, in course order.
std::span<const Strategy> strategies();

/// The strategy of that id, or nullptr.
const Strategy* findStrategy(std::string_view id);

/// The ids, comma separated, for messages.
std::string strategyIds();

}  // namespace lanescope
