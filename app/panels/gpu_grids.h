#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/gpu_charts.h"

/// Series of one contender that differ in their number of blocks, with their names in the GPU panel.
namespace lanescope {

/// The most lines of one contender that can be told apart in a chart over N.
inline constexpr std::size_t kReadableGrids = 5;

/// The measured numbers of blocks of a contender in that setting, shown or pinned, ascending; 0, its own
/// grid, is always the first.
std::vector<std::uint64_t> gridsMeasured(const BenchNumbers& numbers, const BenchSetting& setting,
                                         const std::string& id);

/// Those of them that have lines over N: at most kReadableGrids for the current contender, one for each
/// other, with its own grid if that was measured.
std::vector<std::uint64_t> gridsOverN(const BenchNumbers& numbers, const BenchSetting& setting,
                                      const std::string& id, bool isCurrentText);

/// At most `most` of them, spread evenly, the first and the last among them.
std::vector<std::uint64_t> spread(const std::vector<std::uint64_t>& grids, std::size_t most);

/// The detail that distinguishes a series from others of its contender: `1,056 blocks`; empty if it had its
/// own grid.
std::string gridDetail(std::uint64_t blocks);

/// The grid of a finished series and its average load per thread: `1,056 blocks, 62.06 elements per thread`.
/// Empty if neither is known.
std::string gridNote(const BenchData& data, const SeriesKey& key);

}  // namespace lanescope
