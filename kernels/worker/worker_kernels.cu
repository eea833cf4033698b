#include "kernels/worker/worker_kernels.h"

#include <type_traits>

#include "kernels/protocol/reference_values.h"

namespace lanescope {
namespace {

constexpr unsigned int kThreads = 256;
constexpr long long kGatePatience = 2'000'000'000;  // clock cycles: about a second

template <class T>
__global__ void fill(T* data, std::size_t count, std::uint64_t first) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = static_cast<T>(inputElement(first + i));
  }
}

template <class T>
__global__ void countWrongTransposed(const T* out, std::uint64_t width, std::uint64_t height,
                                     unsigned long long* wrong) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t count = width * height;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const std::uint64_t x = i / height;
    const std::uint64_t y = i % height;
    if (!(out[i] == static_cast<T>(inputElement(y * width + x)))) atomicAdd(wrong, 1ULL);
  }
}

template <class T>
__global__ void countWrongSums(const T* out, std::uint64_t count, std::uint64_t second,
                               unsigned long long* wrong) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const T right = static_cast<T>(inputElement(i) + inputElement(i + second));
    if (!(out[i] == right)) atomicAdd(wrong, 1ULL);
  }
}

__global__ void countWrongIterations(const float* out, std::uint64_t width, std::uint64_t height,
                                     unsigned long long* wrong) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t count = width * height;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    if (!(out[i] == static_cast<float>(julia::iterationsAt(i, width, height)))) atomicAdd(wrong, 1ULL);
  }
}

/// Calls f with a null pointer of the element's type.
template <class F>
cudaError_t withType(ElementType type, F f) {
  switch (type) {
    case ElementType::Float: f(static_cast<float*>(nullptr)); break;
    case ElementType::Double: f(static_cast<double*>(nullptr)); break;
    case ElementType::Int: f(static_cast<std::int32_t*>(nullptr)); break;
  }
  return cudaGetLastError();
}

__device__ float computeSum(float4 v) { return v.x + v.y + v.z + v.w; }

__global__ void read(const float4* data, std::size_t count, float* sink) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (; i + 3 * stride < count; i += 4 * stride) {
    const float4 a = data[i];
    const float4 b = data[i + stride];
    const float4 c = data[i + 2 * stride];
    const float4 d = data[i + 3 * stride];
    sum += computeSum(a) + computeSum(b) + computeSum(c) + computeSum(d);
  }
  for (; i < count; i += stride) sum += computeSum(data[i]);
  // The input is positive, so this never holds; the compiler cannot know and must keep the loads.
  if (sum < 0.0f) *sink = sum;
}

__global__ void empty() {}

__global__ void gate(volatile std::uint32_t* words, std::uint32_t ticket) {
  const long long begin = clock64();
  while (words[0] < ticket) {
    if (clock64() - begin > kGatePatience) {
      words[1] = ticket;
      return;
    }
  }
}

}  // namespace

cudaError_t launchFill(ElementType type, void* data, std::size_t count, std::uint64_t first,
                       cudaStream_t stream) {
  return withType(type, [&](auto* null) {
    fill<<<1024, kThreads, 0, stream>>>(static_cast<decltype(null)>(data), count, first);
  });
}

cudaError_t launchCountWrongTransposed(ElementType type, const void* out, std::uint64_t width,
                                       std::uint64_t height, unsigned long long* wrong, cudaStream_t stream) {
  return withType(type, [&](auto* null) {
    using Pointer = const std::remove_pointer_t<decltype(null)>*;
    countWrongTransposed<<<1024, kThreads, 0, stream>>>(static_cast<Pointer>(out), width, height, wrong);
  });
}

cudaError_t launchCountWrongSums(ElementType type, const void* out, std::uint64_t count, std::uint64_t second,
                                 unsigned long long* wrong, cudaStream_t stream) {
  return withType(type, [&](auto* null) {
    using Pointer = const std::remove_pointer_t<decltype(null)>*;
    countWrongSums<<<1024, kThreads, 0, stream>>>(static_cast<Pointer>(out), count, second, wrong);
  });
}

cudaError_t launchCountWrongIterations(const float* out, std::uint64_t width, std::uint64_t height,
                                       unsigned long long* wrong, cudaStream_t stream) {
  countWrongIterations<<<1024, kThreads, 0, stream>>>(out, width, height, wrong);
  return cudaGetLastError();
}

cudaError_t launchRead(const float* data, std::size_t count, unsigned int blocks, float* sink,
                       cudaStream_t stream) {
  read<<<blocks, kThreads, 0, stream>>>(reinterpret_cast<const float4*>(data), count / 4, sink);
  return cudaGetLastError();
}

cudaError_t launchEmpty(cudaStream_t stream) {
  empty<<<1, 32, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t launchGate(std::uint32_t* words, std::uint32_t ticket, cudaStream_t stream) {
  gate<<<1, 1, 0, stream>>>(words, ticket);
  return cudaGetLastError();
}

}  // namespace lanescope
