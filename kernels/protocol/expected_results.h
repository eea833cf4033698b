#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/strategies/catalogue.h"

namespace lanescope {

/// The result of a comparison of the GPU's results with the host's.
struct SumCheck {
  double expected = 0;            ///< sum of the host's block sums, in double
  double got = 0;                 ///< sum of the GPU's, in double; NaN if one is NaN
  std::uint64_t wrongBlocks = 0;  ///< results further off than the tolerance
  std::size_t firstWrong = 0;     ///< if wrongBlocks > 0

  bool verified() const { return wrongBlocks == 0; }
};

/// How far a right float block sum of `elements` inputs may be from the double-precision one.
///
/// The inputs are whole numbers up to 100, so every partial sum, in any order of addition, is a whole
/// number up to 100 * elements. Float holds whole numbers below 2^24 exactly: up to 167,772 elements a
/// block nothing is ever rounded and the tolerance is 0. Above, elements - 1 additions round by at most
/// 2^-24 of the largest partial sum each.
double blockSumTolerance(std::uint64_t elements);

/// Compares `sums`, block b holding the sum of inputElement over [b * elements, (b + 1) * elements),
/// with sums taken here in double precision. Double and int hold every one of them exactly. Uses every
/// core. T: float, double or std::int32_t.
template <class T>
SumCheck checkBlockSums(std::span<const T> sums, std::uint64_t elements);

/// The sum of inputElement over [0, n), exact. Uses every core; the last one computed is kept.
double expectedTotal(std::uint64_t n);

/// The tolerance of a correct float sum of n inputs if no element passes through more than `additions`
/// additions: each rounds by at most 2^-24 of a partial sum, which is at most the whole. 0 if the whole is
/// below 2^24, as in blockSumTolerance.
double totalTolerance(std::uint64_t n, std::uint64_t additions);

/// A sum of ints, taken in double, as an int that wraps holds it. 0 if it is not a number.
double wrappedToInt(double sum);

/// Compares one value with the sum over n inputs. Double must be exact; int is compared modulo 2^32,
/// as it wraps; float may be off by totalTolerance.
SumCheck checkTotal(double got, std::uint64_t n, std::uint64_t additions, ElementType type);

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

/// The sum of floats on this machine's CPU, at the speed of its memory: chunks of 4,096 elements are added in
/// 64 floats at a time, which compilers turn into vector instructions, and the chunks' sums in double. Exact
/// for whole numbers up to 4,096. `threads`: the number of threads that share the elements; 0: one per core.
double cpuSum(std::span<const float> elements, unsigned threads);

}  // namespace lanescope
