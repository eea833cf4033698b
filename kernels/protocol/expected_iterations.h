#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanescope {

/// The most points of a Julia set that the host computes again: the GPU checks all of them with the same
/// arithmetic, and the host checks the GPU's arithmetic.
inline constexpr std::uint64_t kHostIterations = std::uint64_t{1} << 14U;

/// The distance between the points of n that the host checks. Odd, so that they are in every column of a
/// picture whose width is a power of two; at least 1.
constexpr std::uint64_t iterationsStride(std::uint64_t n) { return (n / kHostIterations) | 1U; }
/// The number of these points, from 0 to n - 1 in steps of iterationsStride(n).
constexpr std::uint64_t iterationsSampled(std::uint64_t n) {
  return n == 0 ? 0 : (n - 1) / iterationsStride(n) + 1;
}

/// The iterations of the point i of a picture of width x height: julia::iterationsAt, each operation rounded
/// by itself.
std::uint32_t expectedIterations(std::uint64_t i, std::uint64_t width, std::uint64_t height);

/// The number of `values`, the points 0, stride, 2 * stride, … of that picture, that differ from
/// expectedIterations.
std::size_t countWrongIterations(std::span<const float> values, std::uint64_t stride, std::uint64_t width,
                                 std::uint64_t height);

}  // namespace lanescope
