#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/gpu/bench_data.h"

/// What is said of measurements in words.
namespace lanescope {

/// What they are of, to tell recordings of one GPU and day apart: `40 kernels alone, N = 2^10 to 2^28, 10
/// sizes, block 256, cold and warm`. `nothing was timed` where there are none.
std::string contentsText(const BenchData& data);

/// How measurements differ from what is looked at.
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

/// How the nearest of them differ from that setting, and from `n` where one N is looked at.
BenchDifference differenceOf(const BenchData& data, const BenchSetting& setting,
                             const std::optional<std::uint64_t>& n);

}  // namespace lanescope
