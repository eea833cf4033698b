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

}  // namespace lanescope
