#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/strategies/element_type.h"

/// CUB's DeviceReduce::Sum, from the CUDA Toolkit, behind plain functions.
namespace lanescope {

/// Bytes of scratch memory for a sum of n elements.
cudaError_t cubScratchBytes(ElementType type, std::uint64_t n, std::size_t& bytes);

/// out[0] = the sum of n elements.
cudaError_t launchCubSum(ElementType type, void* scratch, std::size_t scratchBytes, const void* in, void* out,
                         std::uint64_t n, cudaStream_t stream);

}  // namespace lanescope
