#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/bench_data.h"

/// What is said of measurements in words.
namespace lanescope {

/// What they are of, to tell recordings of one GPU and day apart: `40 kernels alone, N = 2^10 to 2^28, 10
/// sizes, block 256, cold and warm`. `nothing was timed` where there are none.
std::string contentsText(const BenchData& data);

/// How the nearest of them differ from that setting, and from `n` where one N is looked at, to go on from
/// "There is nothing here:": `timed with 512 threads a block, not 256, and to one value, not a kernel alone`.
/// Empty where some are of just that.
std::string differenceText(const BenchData& data, const BenchSetting& setting,
                           const std::optional<std::uint64_t>& n);

}  // namespace lanescope
