#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/views/gpu/gpu_charts.h"

/// Series of one contender that differ in their number of blocks, as the GPU panel tells them apart.
namespace lanescope {

/// The most lines of one contender that can be told apart in a chart over N.
inline constexpr std::size_t kReadableGrids = 5;

/// The numbers of blocks that a contender was given in that setting, on show or pinned, ascending; 0, its own
/// grid, is always the first.
std::vector<std::uint64_t> gridsMeasured(const BenchNumbers& numbers, const BenchSetting& setting,
                                         const std::string& id);

/// Those of them whose lines are drawn over N: of one at hand kReadableGrids at most, of the others one,
/// their own where it was measured.
std::vector<std::uint64_t> gridsOverN(const BenchNumbers& numbers, const BenchSetting& setting,
                                      const std::string& id, bool isAtHand);

/// At most `most` of them, spread evenly, the first and the last among them.
std::vector<std::uint64_t> spread(const std::vector<std::uint64_t>& grids, std::size_t most);

/// What tells a series from others of its contender: `1,056 blocks`; empty where it had its own grid.
std::string gridDetail(std::uint64_t blocks);

/// The grid that a finished series had, and what it leaves a thread on average, empty where neither is known:
/// `1,056 blocks, 62.06 elements per thread`.
std::string gridNote(const BenchData& data, const SeriesKey& key);

}  // namespace lanescope
