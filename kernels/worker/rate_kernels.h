#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

/// Kernels that keep only one unit of a GPU busy, so that their time is that unit's. `sink` is a place to
/// which a kernel could write its input, so that the compiler must keep the reads: none does.
namespace lanescope {

inline constexpr unsigned int kRateThreads = 256;  ///< per block of each of these kernels

/// Reads `bytes` (a multiple of 16) of `data` `repeats` times, with 16-byte loads that L1 does not keep.
cudaError_t launchL2Read(const float* data, std::size_t bytes, unsigned int repeats, unsigned int blocks,
                         float* sink, cudaStream_t stream);

/// Makes every warp read shared memory without bank conflicts: in 16-byte loads of four wavefronts (`wide`)
/// or in 4-byte loads of one. A warp makes `repeats` * kSharedWavefronts of them.
cudaError_t launchSharedRead(bool wide, unsigned int repeats, unsigned int blocks, float* sink,
                             cudaStream_t stream);
inline constexpr std::uint64_t kSharedWavefronts = 64;

/// Makes every warp issue `repeats` * `unroll` (64, 128, 256 or 512) independent additions of floats. The
/// loop itself adds three instructions per repeat.
cudaError_t launchIssue(unsigned int unroll, unsigned int repeats, unsigned int blocks, float* sink,
                        cudaStream_t stream);

}  // namespace lanescope
