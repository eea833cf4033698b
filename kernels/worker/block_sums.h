#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanescope {

/// What a comparison of the GPU's block sums with the host's says.
struct SumCheck {
  double expected = 0;            ///< sum of the host's block sums, in double
  double got = 0;                 ///< sum of the GPU's, in double; NaN if one is NaN
  std::uint64_t wrongBlocks = 0;  ///< block sums further off than blockSumTolerance
  std::size_t firstWrong = 0;     ///< where wrongBlocks > 0

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
/// with sums taken here in double precision. Uses every core.
SumCheck checkBlockSums(std::span<const float> sums, std::uint64_t elements);

}  // namespace lanescope
