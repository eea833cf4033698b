#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/scene/chart_scene.h"
#include "app/session/bench_data.h"
#include "kernels/strategies/catalogue.h"

/// What the GPU panel plots of its numbers.
namespace lanescope {

/// Whose numbers, of which runs.
struct BenchChoice {
  BenchSetting setting;
  std::uint64_t n = std::uint64_t{1} << 24U;
  std::set<std::string> picks;  ///< ids; empty for all there are
  const Strategy* highlighted = nullptr;

  bool shows(const std::string& id) const { return picks.empty() || picks.contains(id); }
};

/// A contender's name: the strategy's title, or CUB's.
std::string contenderTitle(const std::string& id);

/// Everyone that can be timed: the strategies that are timed, in course order, then CUB.
std::vector<std::string> contenderIds();

/// Bars for one N. `pinned`: numbers to compare with, or nullptr.
BarChart gpuBars(const BenchData& data, const BenchData* pinned, const BenchChoice& choice, bool time);

/// Bandwidth over N on log axes, with the read ceiling, the size of L2 and what the launch alone allows.
LineChart gpuLines(const BenchData& data, const BenchData* pinned, const BenchChoice& choice);

}  // namespace lanescope
