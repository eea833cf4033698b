#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define LANESCOPE_HOST_DEVICE __host__ __device__
#else
#define LANESCOPE_HOST_DEVICE
#endif

namespace lanescope {

/// Element i of the benchmark's input: a whole number from 1 to 100, scattered by Knuth's multiplicative
/// hash. Never 0, so that an element left out or read twice always changes the sum.
LANESCOPE_HOST_DEVICE constexpr std::uint32_t inputElement(std::uint64_t i) {
  return 1 + ((static_cast<std::uint32_t>(i) * 2654435761U) >> 16U) % 100;
}

/// The largest element.
inline constexpr std::uint32_t kLargestInput = 100;

/// The values that kernels/strategies/julia_set.cu computes, written again for the check, for the host and
/// for the GPU. Every operation is rounded separately, as in the strategy with --fmad=false: a fused
/// multiply-add would give some points one iteration more or less. All of the host's files are compiled with
/// -ffp-contract=off.
namespace julia {

LANESCOPE_HOST_DEVICE inline float product(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
LANESCOPE_HOST_DEVICE inline float sum(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fadd_rn(a, b);
#else
  return a + b;
#endif
}
LANESCOPE_HOST_DEVICE inline float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fdiv_rn(a, b);
#else
  return a / b;
#endif
}

inline constexpr std::uint32_t kMostIterations = 255;

/// The number of times that z = z * z - 0.79 + 0.15i is computed before |z| exceeds 2, at most
/// kMostIterations.
LANESCOPE_HOST_DEVICE inline std::uint32_t iterationsFrom(float re, float im) {
  std::uint32_t count = 0;
  while (count < kMostIterations && sum(product(re, re), product(im, im)) <= 4.0F) {
    const float next = sum(sum(product(re, re), -product(im, im)), -0.79F);
    im = sum(product(product(2.0F, re), im), 0.15F);
    re = next;
    ++count;
  }
  return count;
}

/// The iterations of point i of a picture of width x height over the square from -2 - 2i to 2 + 2i.
LANESCOPE_HOST_DEVICE inline std::uint32_t iterationsAt(std::uint64_t i, std::uint64_t width,
                                                        std::uint64_t height) {
  const std::uint64_t row = i / width;
  const auto x = static_cast<float>(i % width);
  const auto y = static_cast<float>(row);
  const float re = sum(-2.0F, quotient(product(4.0F, x), static_cast<float>(width)));
  const float im = sum(-2.0F, quotient(product(4.0F, y), static_cast<float>(height)));
  return iterationsFrom(re, im);
}

}  // namespace julia
}  // namespace lanescope
