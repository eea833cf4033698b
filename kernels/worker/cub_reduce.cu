#include "kernels/worker/worker_kernels.h"

#include <cub/device/device_reduce.cuh>

namespace lanescope {
namespace {

template <class T>
cudaError_t sum(void* scratch, std::size_t& scratchBytes, const void* in, void* out, std::uint64_t n,
                cudaStream_t stream) {
  return cub::DeviceReduce::Sum(scratch, scratchBytes, static_cast<const T*>(in), static_cast<T*>(out), n,
                                stream);
}

cudaError_t computeSum(ElementType type, void* scratch, std::size_t& scratchBytes, const void* in, void* out,
                       std::uint64_t n, cudaStream_t stream) {
  switch (type) {
    case ElementType::Float: return sum<float>(scratch, scratchBytes, in, out, n, stream);
    case ElementType::Double: return sum<double>(scratch, scratchBytes, in, out, n, stream);
    case ElementType::Int: return sum<std::int32_t>(scratch, scratchBytes, in, out, n, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t cubScratchBytes(ElementType type, std::uint64_t n, std::size_t& bytes) {
  bytes = 0;
  return computeSum(type, nullptr, bytes, nullptr, nullptr, n, nullptr);
}

cudaError_t launchCubSum(ElementType type, void* scratch, std::size_t scratchBytes, const void* in, void* out,
                         std::uint64_t n, cudaStream_t stream) {
  return computeSum(type, scratch, scratchBytes, in, out, n, stream);
}

}  // namespace lanescope
