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

}  // namespace lanescope
