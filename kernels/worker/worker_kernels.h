#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

/// The worker's own kernels, behind plain functions: what it needs around the strategies.
namespace lanescope {

/// Fills `count` floats with inputElement(0), inputElement(1), ...
cudaError_t launchFill(float* data, std::size_t count, cudaStream_t stream);

/// Reads `count` floats (a multiple of 4) with 16-byte loads, grid-stride, four loads in flight a
/// thread, and writes nothing: the fastest a kernel can read this GPU's memory.
cudaError_t launchRead(const float* data, std::size_t count, unsigned int blocks, float* sink,
                       cudaStream_t stream);

/// A kernel that does nothing.
cudaError_t launchEmpty(cudaStream_t stream);

/// Holds the stream until the host writes `ticket` or more to words[0]. After about a second it gives
/// up, so that nothing can hang, and writes `ticket` to words[1].
cudaError_t launchGate(std::uint32_t* words, std::uint32_t ticket, cudaStream_t stream);

/// `__global__ void NAME(const float* in, float* out)` of a strategy's .cu, or nullptr. Generated at
/// build time from kernels/strategies/*.cu.
const void* strategyKernel(const char* kernel);

}  // namespace lanescope
