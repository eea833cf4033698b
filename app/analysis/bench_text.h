#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/analysis/bench_data.h"

/// Descriptions of measurements in words.
namespace lanescope {

/// The contents of the measurements, to tell recordings of one GPU and day apart: `40 kernels alone, N = 2^10
/// to 2^28, 10 sizes, block 256, cold and warm`. `nothing was timed` if there are none.
std::string contentsText(const BenchData& data);

/// The difference of measurements from the current view.
struct BenchDifference {
  enum class Kind : std::uint8_t {
    None,      ///< some are of just that
    Nothing,   ///< there are none
    Elsewhere  ///< the nearest were timed otherwise
  } kind = Kind::None;
  /// Elsewhere: `with 512 threads per block, not 256; and to one value, not a kernel alone`.
  std::string how;
  bool operator==(const BenchDifference&) const = default;
};

/// The difference of the nearest of them from that setting, and from `n` if one N is shown.
BenchDifference computeDifference(const BenchData& data, const BenchSetting& setting,
                                  const std::optional<std::uint64_t>& n);

}  // namespace lanescope
