#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/bench_data.h"
#include "app/gpu/gpu_session.h"
#include "app/pictures/chart_scene.h"
#include "kernels/strategies/catalogue.h"

/// The GPU panel's plots of its numbers.
namespace lanescope {

/// The choice of contenders and runs.
struct BenchChoice {
  BenchSetting setting{};
  std::uint64_t n = std::uint64_t{1} << 24U;
  std::set<std::string> picks{};  ///< ids; if empty, all of the current family
  std::uint64_t blocks = 0;       ///< for the next run; 0: the strategies' own grids
  const Strategy* highlighted = nullptr;
  bool operator==(const BenchChoice&) const = default;

  /// The family of the current strategy; reductions if there is none.
  Family family() const { return highlighted == nullptr ? Family::Reduction : highlighted->family; }
};

/// The pinned runs that have a bar, or a line, by number from 1.
std::set<std::size_t> pinsIn(const BarChart& chart);
std::set<std::size_t> pinsIn(const LineChart& chart);

/// A contender's name: the strategy's title, or CUB's.
std::string contenderTitle(const std::string& id);

/// All that can be timed: the strategies in course order, then CUB.
std::vector<std::string> contenderIds();

/// The contenders of a run if none was picked and the current strategy is not a reduction: those of its
/// family that accept the type of element. Otherwise the picks; if empty, every reduction that can run.
std::vector<std::string> contendersToRun(const BenchChoice& choice);

/// The ids of a family, in course order.
std::set<std::string> familyIds(Family family);
/// The ids of a strategy's chapter that are of its family: what one chart can show beside it.
std::set<std::string> chapterIds(const Strategy& strategy);

/// The shown numbers and those to compare them with.
struct BenchNumbers {
  const BenchData& data;
  std::string title;  ///< the GPU and the day
  std::span<const PinnedBench> pins;
};

/// Bars for one N: median bandwidth, or time.
BarChart gpuBars(const BenchNumbers& numbers, const BenchChoice& choice, bool time);

/// Adds the bar of a text that was run, below its strategy's (else at the top), if it was timed under the
/// bars' conditions: that N and block, one kernel, that type of element, cold.
void addTextBar(BarChart& chart, const TextOutcome& text, const BenchChoice& choice, bool time);

/// Bandwidth over N on log axes, with the read ceilings, the size of L2 and the floor of each N: launch, and
/// bytes at the measured ceiling. Each point says how near it is to that.
LineChart gpuLines(const BenchNumbers& numbers, const BenchChoice& choice);

/// A contender's numbers at one N: with its own grid, else with the first grid that was measured.
std::optional<BenchReading> anyGridsReading(const BenchData& data, const BenchSetting& setting,
                                            const std::string& id, std::uint64_t n);

/// If nothing is read, the bandwidth is that of the writes, and the unit says so.
const char* bandwidthUnit(const std::string& id);

// Series of one contender that differ in their number of blocks, with their names in the GPU panel.

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
