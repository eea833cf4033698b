#include "sim/host/runtime/refused_launch.h"

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/memory/launch_limits.h"

namespace lanescope::host {

std::optional<std::string> findRefusal(const Bytecode& kernel, const Configuration& configuration,
                                       std::uint64_t mostSharedBytes) {
  const Dim3& grid = configuration.grid;
  const Dim3& block = configuration.block;
  const char* const error = cudaGetErrorString(cudaErrorInvalidValue);
  const bool isBlockRight = block.count() > 0 && block.count() <= kMaxBlockThreads &&
                            block.x <= kMaxBlockThreads && block.y <= kMaxBlockThreads &&
                            block.z <= kMaxBlockZ;
  const bool isGridRight =
      grid.count() > 0 && grid.x <= kMaxGridX && grid.y <= kMaxGridYZ && grid.z <= kMaxGridYZ;
  if (!isBlockRight || !isGridRight) {
    return fmt::format(
        "the launch of {} with a grid of {} x {} x {} blocks of {} x {} x {} threads failed: {}{}",
        kernel.kernelName, grid.x, grid.y, grid.z, block.x, block.y, block.z, error,
        isBlockRight ? "" : ". A block has 1 to 1,024 threads");
  }
  if (block.count() > kernel.mostBlockThreads) {
    return fmt::format(
        "the launch of {} with blocks of {} threads failed: {}. The kernel's __launch_bounds__ allows at "
        "most {}",
        kernel.kernelName, withCommas(block.count()), error, withCommas(kernel.mostBlockThreads));
  }
  const std::uint64_t shared = kernel.staticSharedBytes + configuration.sharedBytes;
  if (configuration.sharedBytes > 0 && shared > mostSharedBytes) {
    return fmt::format(
        "the launch of {} with {} bytes of shared memory failed: {}. Above 48 KiB it takes "
        "cudaFuncSetAttribute",
        kernel.kernelName, withCommas(shared), error);
  }
  return std::nullopt;
}

}  // namespace lanescope::host
