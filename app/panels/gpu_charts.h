#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/pictures/chart_scene.h"
#include "app/analysis/bench_data.h"
#include "app/gpu/gpu_session.h"
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

  /// The family of the current strategy; reductions if there is none.
  Family family() const { return highlighted == nullptr ? Family::Reduction : highlighted->family; }
};

/// A contender's name: the strategy's title, or CUB's.
std::string contenderTitle(const std::string& id);

/// All that can be timed: the strategies in course order, then CUB.
std::vector<std::string> contenderIds();

/// The contenders of a run if none was picked and the current strategy is not a reduction: those of its
/// family that accept the type of element. Otherwise the picks; if empty, every reduction that can run.
std::vector<std::string> contendersToRun(const BenchChoice& choice);

/// The ids of a family, in course order.
std::set<std::string> familyIds(Family family);

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

/// Three digits, with a comma in the thousands: `4,394`, `432`, `12.3`.
std::string figure(double value);

}  // namespace lanescope
