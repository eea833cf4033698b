#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

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

}  // namespace lanescope
