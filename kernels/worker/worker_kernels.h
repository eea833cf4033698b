#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

#include "kernels/strategies/element_type.h"

/// The worker's own kernels, behind plain functions: those it needs besides the strategies.
namespace lanescope {

/// Fills `count` elements with inputElement(first), inputElement(first + 1), ...
cudaError_t launchFill(ElementType type, void* data, std::size_t count, std::uint64_t first,
                       cudaStream_t stream);

/// Adds to *wrong the number of elements of `out`, `width` rows of `height`, that differ from the transposed
/// matrix of inputElement, `height` rows of `width`.
cudaError_t launchCountWrongTransposed(ElementType type, const void* out, std::uint64_t width,
                                       std::uint64_t height, unsigned long long* wrong, cudaStream_t stream);

/// Adds to *wrong the number of elements of `out` that differ from inputElement(i) + inputElement(i +
/// second).
cudaError_t launchCountWrongSums(ElementType type, const void* out, std::uint64_t count, std::uint64_t second,
                                 unsigned long long* wrong, cudaStream_t stream);

/// Adds to *wrong the number of points of `out`, a Julia set of width x height, that differ from
/// julia::iterationsAt.
cudaError_t launchCountWrongIterations(const float* out, std::uint64_t width, std::uint64_t height,
                                       unsigned long long* wrong, cudaStream_t stream);

/// Reads `count` floats (a multiple of 4) with 16-byte loads, grid-stride, four loads in flight per thread,
/// and writes nothing: the fastest way for a kernel to read this GPU's memory.
cudaError_t launchRead(const float* data, std::size_t count, unsigned int blocks, float* sink,
                       cudaStream_t stream);

/// A kernel that does nothing.
cudaError_t launchEmpty(cudaStream_t stream);

/// Holds the stream until the host writes `ticket` or more to words[0]. After about a second it gives
/// up, so that nothing can hang, and writes `ticket` to words[1].
cudaError_t launchGate(std::uint32_t* words, std::uint32_t ticket, cudaStream_t stream);

// Kernels that keep only one unit of a GPU busy, so that their time is that unit's. `sink` is a place to
// which a kernel could write its input, so that the compiler must keep the reads: none does.

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

// CUB's DeviceReduce::Sum, from the CUDA Toolkit, behind plain functions.

/// Bytes of scratch memory for a sum of n elements.
cudaError_t cubScratchBytes(ElementType type, std::uint64_t n, std::size_t& bytes);

/// out[0] = the sum of n elements.
cudaError_t launchCubSum(ElementType type, void* scratch, std::size_t scratchBytes, const void* in, void* out,
                         std::uint64_t n, cudaStream_t stream);

// The strategies' kernels, compiled from their own texts: a table for each type of element, which
// kernel_table.cmake writes at build time from kernels/strategies/*.cu.

struct KernelEntry {
  const char* name;    ///< with its template arguments, as shape.h spells it
  const void* kernel;  ///< for cudaLaunchKernel
};

/// A table and its length.
struct KernelEntries {
  const KernelEntry* entries;
  std::size_t count;
};

KernelEntries kernelsForFloat();
KernelEntries kernelsForDouble();
KernelEntries kernelsForInt();

}  // namespace lanescope
