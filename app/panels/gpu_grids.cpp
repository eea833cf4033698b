#include "app/panels/gpu_grids.h"

#include <set>

#include "kernels/protocol/bench_blocks.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

void addGrids(std::set<std::uint64_t>& grids, const BenchData& data, const BenchSetting& setting,
              const std::string& id) {
  for (const auto& [key, series] : data.series()) {
    if (key.strategy == id && setting.covers(key)) grids.insert(key.blocks);
  }
}

}  // namespace

std::vector<std::uint64_t> gridsMeasured(const BenchNumbers& numbers, const BenchSetting& setting,
                                         const std::string& id) {
  std::set<std::uint64_t> grids{0};
  addGrids(grids, numbers.data, setting, id);
  for (const PinnedBench& pin : numbers.pins) addGrids(grids, pin.data, setting, id);
  return {grids.begin(), grids.end()};
}

std::vector<std::uint64_t> gridsOverN(const BenchNumbers& numbers, const BenchSetting& setting,
                                      const std::string& id, bool isCurrentText) {
  const std::vector<std::uint64_t> all = gridsMeasured(numbers, setting, id);
  if (isCurrentText) return spread(all, kReadableGrids);
  std::set<std::uint64_t> own;
  addGrids(own, numbers.data, setting, id);
  for (const PinnedBench& pin : numbers.pins) addGrids(own, pin.data, setting, id);
  return {own.empty() ? all.front() : *own.begin()};
}

std::vector<std::uint64_t> spread(const std::vector<std::uint64_t>& grids, std::size_t most) {
  if (grids.size() <= most || most < 2) return grids;
  std::vector<std::uint64_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(grids[i * (grids.size() - 1) / (most - 1)]);
  return some;
}

std::string gridDetail(std::uint64_t blocks) {
  if (blocks == 0) return {};
  return withCommas(blocks) + " " + pluralFor(blocks, "block");
}

std::string gridNote(const BenchData& data, const SeriesKey& key) {
  const BenchSeries* series = data.find(key);
  if (series == nullptr || !series->result || series->result->grid == 0) return {};
  const double perThread = elementsPerThread(*series->result);
  std::string note = gridDetail(series->result->grid);
  if (perThread > 0) note += ", " + elementsPerThreadText(perThread);
  return note;
}

}  // namespace lanescope
