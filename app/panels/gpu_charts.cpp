#include "app/panels/gpu_charts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "app/analysis/floors.h"
#include "kernels/protocol/bench_rules.h"
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

const char* bandwidthUnit(const std::string& id) { return onlyWrites(id) ? " GB/s written" : " GB/s"; }

std::optional<BenchReading> anyGridsReading(const BenchData& data, const BenchSetting& setting,
                                            const std::string& id, std::uint64_t n) {
  for (const std::uint64_t blocks : gridsMeasured({data, {}, {}}, setting, id)) {
    if (auto reading = data.reading(setting.key(id, n, blocks))) return reading;
  }
  return std::nullopt;
}

namespace {

/// bytes / time of a quartile, computed from the median's.
double bandwidthAt(const BenchReading& reading, double us) {
  return us > 0 ? reading.gbps * reading.medianUs / us : 0;
}

BarEntry makeBar(const std::string& id, const BenchReading& reading, bool time) {
  BarEntry bar{.label = contenderTitle(id), .reference = id == kCubId};
  if (reading.wrong) {
    bar.wrong = true;
    bar.text = "wrong sum";
    return bar;
  }
  bar.value = time ? reading.medianUs : reading.gbps;
  bar.text = time ? microsecondsText(bar.value) : figure(bar.value) + bandwidthUnit(id);
  bar.lowerQuartile = time ? reading.q1Us : bandwidthAt(reading, reading.q3Us);
  bar.upperQuartile = time ? reading.q3Us : bandwidthAt(reading, reading.q1Us);
  return bar;
}

std::string pinName(std::size_t run) { return "pin " + std::to_string(run); }

/// The pinned runs' measurements, each with the ratio in words.
void comparePinned(BarEntry& bar, const BenchNumbers& numbers, const SeriesKey& key, bool time) {
  for (std::size_t i = 0; i < numbers.pins.size(); ++i) {
    const auto reading = numbers.pins[i].data.reading(key);
    if (!reading) continue;
    PinnedBar pinned{i + 1, 0, pinName(i + 1) + ": wrong sum"};
    if (!reading->wrong) {
      pinned.value = time ? reading->medianUs : reading->gbps;
      pinned.text =
          pinName(i + 1) + ": " + (time ? microsecondsText(pinned.value) : figure(pinned.value) + " GB/s");
    }
    if (pinned.value > 0 && bar.value > 0 && !bar.wrong) {
      const double faster = time ? pinned.value / bar.value : bar.value / pinned.value;
      std::array<char, 32> ratio{};
      std::snprintf(ratio.data(), ratio.size(), "%.2f", faster);
      pinned.text += std::string("; this is ") + ratio.data() + " times as fast";
    }
    bar.pinned.push_back(std::move(pinned));
  }
}

/// The source of each set of numbers; empty if there is no other run.
std::vector<std::string> makeLegend(const BenchNumbers& numbers) {
  std::vector<std::string> legend;
  if (numbers.pins.empty()) return legend;
  legend.push_back(numbers.title.empty() ? "on show" : numbers.title);
  for (std::size_t i = 0; i < numbers.pins.size(); ++i)
    legend.push_back(pinName(i + 1) + ": " + numbers.pins[i].label);
  return legend;
}

/// Bytes that one kernel of that strategy moves, as the charts count them; for an unknown strategy, those of
/// a reduction.
std::uint64_t toBytes(const BenchSetting& setting, const std::string& id, std::uint64_t n) {
  const Strategy* const strategy = findStrategy(id);
  const bool isWhole = strategy == nullptr || strategy->family == Family::Reduction;
  return bytesMoved(strategy, setting.scope, n, isWhole ? 1 : n, setting.type);
}

/// The least time of one kernel of that strategy at that N, microseconds. 0 if it is unknown, for example if
/// the kernel reads nothing and its output can stay in L2.
double computeFloorUs(const BenchData& data, const BenchSetting& setting, const std::string& id,
                      std::uint64_t n) {
  if (onlyWrites(id)) return 0;
  const Strategy* const strategy = findStrategy(id);
  const bool isWhole = strategy == nullptr || strategy->family == Family::Reduction;
  const double written = static_cast<double>((isWhole ? 1 : n) * elementBytes(setting.type));
  return sizeFloorUs(static_cast<double>(toBytes(setting, id, n)) - written, written, data, setting.cache);
}

LineSeries findLine(const BenchData& data, const BenchChoice& choice, const std::string& id,
                    std::uint64_t blocks) {
  LineSeries series{.label = contenderTitle(id), .reference = id == kCubId, .detail = gridDetail(blocks)};
  for (const std::uint64_t n : data.sizes(choice.setting)) {
    const SeriesKey key = choice.setting.key(id, n, blocks);
    const auto reading = data.reading(key);
    if (!reading || reading->wrong || reading->gbps <= 0) continue;
    const std::string grid = gridNote(data, key);
    const double floor = computeFloorUs(data, choice.setting, id, n);
    const std::string near =
        floor > 0 ? "\n" + figure(100 * floor / reading->medianUs) + "% of the floor's bandwidth" : "";
    series.points.push_back({static_cast<double>(n), reading->gbps,
                             series.label + ", N = " + sizeText(n) + "\n" + figure(reading->gbps) +
                                 bandwidthUnit(id) + ", " + microsecondsText(reading->medianUs) + near +
                                 (grid.empty() ? "" : "\n" + grid)});
  }
  return series;
}

bool wasMeasured(const BenchData& data, const BenchSetting& setting, const std::string& id) {
  return std::ranges::any_of(data.series(), [&](const auto& entry) {
    return entry.first.strategy == id && setting.covers(entry.first);
  });
}

bool wasMeasured(const BenchNumbers& numbers, const BenchSetting& setting, const std::string& id) {
  return wasMeasured(numbers.data, setting, id) ||
         std::ranges::any_of(numbers.pins,
                             [&](const PinnedBench& pin) { return wasMeasured(pin.data, setting, id); });
}

/// CUB is measured beside the reductions.
bool belongsTo(Family family, const std::string& id) {
  const Strategy* strategy = findStrategy(id);
  return (strategy == nullptr ? Family::Reduction : strategy->family) == family;
}

/// The picked ones, else the current family: other work moves other bytes and cannot be compared. All of them
/// if none of the family was measured.
std::vector<std::string> idsToShow(const BenchNumbers& numbers, const BenchChoice& choice) {
  std::vector<std::string> ids;
  std::vector<std::string> all = contenderIds();
  for (const std::string& id : all) {
    const bool isShown = choice.picks.empty()
                             ? belongsTo(choice.family(), id) && wasMeasured(numbers, choice.setting, id)
                             : choice.picks.contains(id);
    if (isShown) ids.push_back(id);
  }
  return ids.empty() ? all : ids;
}

/// By rising bandwidth at the largest N of that setting.
std::vector<std::string> ranked(const BenchData& data, const BenchSetting& setting,
                                const std::vector<std::string>& among) {
  const std::vector<std::uint64_t> sizes = data.sizes(setting);
  std::vector<std::pair<double, std::string>> found;
  for (const std::string& id : among) {
    const auto reading = sizes.empty() ? std::nullopt : anyGridsReading(data, setting, id, sizes.back());
    if (reading && !reading->wrong) found.emplace_back(reading->gbps, id);
  }
  std::ranges::sort(found);
  std::vector<std::string> ids;
  ids.reserve(found.size());
  for (auto& [gbps, id] : found) ids.push_back(std::move(id));
  return ids;
}

/// The lines to draw if none was picked: more than a handful cannot be told apart. The chosen strategy, the
/// slowest, the fastest, and an even spread between. If the shown numbers have none, those of the first
/// pinned run that has some.
std::set<std::string> readableLines(const BenchNumbers& numbers, const BenchChoice& choice) {
  std::size_t readable = 5;
  if (choice.highlighted != nullptr) {
    // Lines for several grids of the chosen one leave room for fewer of the others.
    const std::string id(choice.highlighted->id);
    const std::size_t grids = gridsOverN(numbers, choice.setting, id, true).size();
    readable -= std::min<std::size_t>(grids - 1, readable - 2);
  }
  const std::vector<std::string> among = idsToShow(numbers, choice);
  std::vector<std::string> ids = ranked(numbers.data, choice.setting, among);
  for (std::size_t i = 0; ids.empty() && i < numbers.pins.size(); ++i)
    ids = ranked(numbers.pins[i].data, choice.setting, among);
  std::set<std::string> shown;
  const std::size_t count = std::min(readable, ids.size());
  for (std::size_t i = 0; i < count; ++i)
    shown.insert(ids[count > 1 ? i * (ids.size() - 1) / (count - 1) : 0]);
  if (choice.highlighted != nullptr && !ids.empty()) shown.insert(std::string(choice.highlighted->id));
  return shown;
}

/// The lines that are also drawn for the pinned runs: the picked ones, else those of the chosen strategy and
/// of CUB. If no pinned run has measured either, the fastest's. If no numbers are shown, all.
std::set<std::string> comparedLines(const BenchNumbers& numbers, const BenchChoice& choice,
                                    const std::set<std::string>& shown) {
  const std::vector<std::string> own = ranked(numbers.data, choice.setting, contenderIds());
  if (!choice.picks.empty() || own.empty()) return shown;
  const auto isPinned = [&](const std::string& id) {
    return std::ranges::any_of(
        numbers.pins, [&](const PinnedBench& pin) { return wasMeasured(pin.data, choice.setting, id); });
  };
  std::set<std::string> compared;
  for (const std::string& id : shown) {
    const bool isChosen = choice.highlighted != nullptr && choice.highlighted->id == id;
    if ((isChosen || id == kCubId) && isPinned(id)) compared.insert(id);
  }
  for (std::size_t i = own.size(); compared.empty() && i-- > 0;) {
    if (shown.contains(own[i]) && isPinned(own[i])) compared.insert(own[i]);
  }
  return compared;
}

/// The bandwidth that the floor of each N allows: for one kernel that is launched and moves each byte once.
LineSeries floorLine(const BenchData& data, const BenchChoice& choice) {
  LineSeries series{.label = "floor", .reference = true};
  const std::string id = choice.highlighted == nullptr ? std::string() : std::string(choice.highlighted->id);
  for (const std::uint64_t n : data.sizes(choice.setting)) {
    const double us = computeFloorUs(data, choice.setting, id, n);
    if (us <= 0) continue;
    series.points.push_back({static_cast<double>(n), gigabytesPerSecond(toBytes(choice.setting, id, n), us),
                             "N = " + sizeText(n) + ": at least " + microsecondsText(us) +
                                 ", to launch and to move each byte once at the measured ceiling"});
  }
  return series;
}

/// The ceilings: that of the shown numbers, and those of pinned runs on other GPUs.
std::vector<ReferenceLine> findCeilings(const BenchNumbers& numbers) {
  std::vector<ReferenceLine> lines;
  const auto& own = numbers.data.ceiling();
  if (own && own->gbps > 0) lines.push_back({own->gbps, "read ceiling"});
  for (std::size_t i = 0; i < numbers.pins.size(); ++i) {
    const BenchData& data = numbers.pins[i].data;
    const bool isSameGpu =
        data.hello() && numbers.data.hello() && data.hello()->gpu == numbers.data.hello()->gpu;
    if (data.ceiling() && data.ceiling()->gbps > 0 && !isSameGpu)
      lines.push_back({data.ceiling()->gbps, "read ceiling, " + pinName(i + 1)});
  }
  return lines;
}

}  // namespace

std::set<std::size_t> pinsIn(const BarChart& chart) {
  std::set<std::size_t> pins;
  for (const BarEntry& bar : chart.bars) {
    for (const PinnedBar& pinned : bar.pinned) pins.insert(pinned.run);
  }
  return pins;
}

std::set<std::size_t> pinsIn(const LineChart& chart) {
  std::set<std::size_t> pins;
  for (const LineSeries& series : chart.series) pins.insert(series.run);
  return pins;
}

std::string contenderTitle(const std::string& id) {
  const Strategy* strategy = findStrategy(id);
  return strategy != nullptr ? strategy->title : id == kCubId ? "CUB DeviceReduce" : id;
}

std::vector<std::string> contenderIds() {
  std::vector<std::string> ids;
  for (const Strategy& strategy : strategies()) ids.emplace_back(strategy.id);
  ids.emplace_back(kCubId);
  return ids;
}

std::set<std::string> familyIds(Family family) {
  std::set<std::string> ids;
  for (const Strategy& strategy : strategies()) {
    if (strategy.family == family) ids.emplace(strategy.id);
  }
  return ids;
}

std::set<std::string> chapterIds(const Strategy& strategy) {
  std::set<std::string> ids = familyIds(strategy.family);
  std::erase_if(ids, [&](const std::string& id) { return findStrategy(id)->chapter != strategy.chapter; });
  return ids;
}

std::vector<std::string> contendersToRun(const BenchChoice& choice) {
  const bool isOther = choice.family() != Family::Reduction;
  if (!choice.picks.empty() || !isOther) return {choice.picks.begin(), choice.picks.end()};
  std::vector<std::string> ids;
  for (const Strategy& strategy : strategies()) {
    if (strategy.family == choice.family() && strategy.takes(choice.setting.type))
      ids.emplace_back(strategy.id);
  }
  return ids;
}

BarChart gpuBars(const BenchNumbers& numbers, const BenchChoice& choice, bool time) {
  BarChart chart;
  const BenchData& data = numbers.data;
  for (const std::string& id : idsToShow(numbers, choice)) {
    for (const std::uint64_t blocks : gridsMeasured(numbers, choice.setting, id)) {
      const SeriesKey key = choice.setting.key(id, choice.n, blocks);
      BarEntry bar;
      if (const auto reading = data.reading(key)) {
        bar = makeBar(id, *reading, time);
      } else {
        bar.label = contenderTitle(id);
        bar.text = "only pinned";
      }
      bar.detail = gridDetail(blocks);
      bar.note = gridNote(data, key);
      comparePinned(bar, numbers, key, time);
      if (bar.value <= 0 && !bar.wrong && bar.pinned.empty()) continue;
      bar.highlight = choice.highlighted != nullptr && choice.highlighted->id == id;
      chart.bars.push_back(std::move(bar));
    }
  }
  chart.legend = makeLegend(numbers);
  const auto& ceiling = data.ceiling();
  if (!time && !chart.bars.empty() && ceiling && ceiling->gbps > 0) {
    chart.lines.push_back({ceiling->gbps, "read ceiling " + figure(ceiling->gbps) + " GB/s"});
  }
  if (time && !chart.bars.empty() && ceiling && ceiling->launchUs > 0) {
    chart.lines.push_back({ceiling->launchUs, "launch alone " + microsecondsText(ceiling->launchUs)});
  }
  chart.empty = "No measurements for this choice yet: press Run on a machine with a GPU.";
  return chart;
}

void addTextBar(BarChart& chart, const TextOutcome& text, const BenchChoice& choice, bool time) {
  const BenchSetting& setting = choice.setting;
  const bool isComparable = setting.scope == Scope::Kernel && setting.cache == CacheState::Cold;
  if (!text.timing || !isComparable || text.timing->type != setting.type) return;
  const TextTiming& timing = *text.timing;
  if (timing.n != choice.n || timing.block != setting.block) return;
  BarEntry bar = makeBar({}, timing, time);
  bar.label = "text: " + text.title;
  bar.highlight = true;
  const auto own = std::ranges::find(chart.bars, true, &BarEntry::highlight);
  chart.bars.insert(own == chart.bars.end() ? chart.bars.begin() : own + 1, std::move(bar));
}

LineChart gpuLines(const BenchNumbers& numbers, const BenchChoice& choice) {
  LineChart chart;
  const BenchData& data = numbers.data;
  chart.xLabel = "N, elements";
  chart.yLabel = "GB/s";
  const std::set<std::string> shown = choice.picks.empty() ? readableLines(numbers, choice) : choice.picks;
  const std::set<std::string> compared = comparedLines(numbers, choice, shown);
  std::size_t color = 0;
  for (const std::string& id : contenderIds()) {
    if (!shown.contains(id)) continue;
    const bool isCurrentGrid =
        !choice.picks.empty() || (choice.highlighted != nullptr && choice.highlighted->id == id);
    for (const std::uint64_t blocks : gridsOverN(numbers, choice.setting, id, isCurrentGrid)) {
      LineSeries series = findLine(data, choice, id, blocks);
      series.color = color++;
      series.highlight = choice.highlighted != nullptr && choice.highlighted->id == id;
      for (std::size_t i = 0; compared.contains(id) && i < numbers.pins.size(); ++i) {
        LineSeries other = findLine(numbers.pins[i].data, choice, id, blocks);
        other.label += ", " + pinName(i + 1);
        other.run = i + 1;
        other.color = series.color;
        for (ChartPoint& point : other.points) point.tooltip += "\n" + numbers.pins[i].label;
        if (!other.points.empty()) chart.series.push_back(std::move(other));
      }
      if (!series.points.empty()) chart.series.push_back(std::move(series));
    }
  }
  if (!chart.series.empty()) chart.horizontals = findCeilings(numbers);
  if (!chart.series.empty() && data.ceiling() && data.ceiling()->gbps > 0 && data.ceiling()->launchUs > 0) {
    LineSeries floor = floorLine(data, choice);
    floor.color = color;
    if (floor.points.size() > 1) chart.series.push_back(std::move(floor));
  }
  if (!chart.series.empty() && data.hello() && data.hello()->l2Bytes > 0) {
    const std::uint64_t elements = data.hello()->l2Bytes / elementBytes(choice.setting.type);
    chart.verticals.push_back(
        {static_cast<double>(elements), "L2: " + std::to_string(data.hello()->l2Bytes >> 20U) + " MiB"});
  }
  chart.legend = chart.series.empty() ? std::vector<std::string>() : makeLegend(numbers);
  chart.empty = "No measurements for this choice yet: press Run on a machine with a GPU.";
  return chart;
}

}  // namespace lanescope
