#include "app/views/gpu_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "kernels/worker/bench_rules.h"

namespace lanescope {
namespace {

/// Three digits, with a comma in the thousands: `4,394`, `432`, `12.3`.
std::string figure(double value) {
  std::array<char, 32> text{};
  if (value >= 1000) {
    const long whole = std::lround(value);
    std::snprintf(text.data(), text.size(), "%ld,%03ld", whole / 1000, whole % 1000);
  } else {
    std::snprintf(text.data(), text.size(), value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  }
  return text.data();
}

/// bytes / time of a quartile, from the median's.
double bandwidthAt(const BenchReading& reading, double us) {
  return us > 0 ? reading.gbps * reading.medianUs / us : 0;
}

BarEntry barOf(const std::string& id, const BenchReading& reading, bool time) {
  BarEntry bar;
  bar.label = contenderTitle(id);
  bar.reference = id == kCubId;
  if (reading.wrong) {
    bar.wrong = true;
    bar.text = "wrong sum";
    return bar;
  }
  bar.value = time ? reading.medianUs : reading.gbps;
  bar.text = figure(bar.value) + (time ? " µs" : " GB/s");
  bar.lowerQuartile = time ? reading.q1Us : bandwidthAt(reading, reading.q3Us);
  bar.upperQuartile = time ? reading.q3Us : bandwidthAt(reading, reading.q1Us);
  return bar;
}

/// The value to compare with, and the ratio in words.
void comparePinned(BarEntry& bar, const std::optional<BenchReading>& pinned, bool time) {
  if (!pinned || pinned->wrong || bar.wrong) return;
  bar.pinned = time ? pinned->medianUs : pinned->gbps;
  if (bar.pinned <= 0 || bar.value <= 0) return;
  const double faster = time ? bar.pinned / bar.value : bar.value / bar.pinned;
  std::array<char, 32> ratio{};
  std::snprintf(ratio.data(), ratio.size(), "%.2f", faster);
  bar.pinnedText = "pinned: " + figure(bar.pinned) + (time ? " µs" : " GB/s") + "; this is " + ratio.data() +
                   " times as fast";
}

LineSeries lineOf(const BenchData& data, const BenchChoice& choice, const std::string& id) {
  LineSeries series;
  series.label = contenderTitle(id);
  series.reference = id == kCubId;
  for (const std::uint64_t n : data.sizes(choice.setting)) {
    const auto reading = data.reading(choice.setting.key(id, n));
    if (!reading || reading->wrong || reading->gbps <= 0) continue;
    series.points.push_back({static_cast<double>(n), reading->gbps,
                             series.label + ", N = " + sizeText(n) + "\n" + figure(reading->gbps) +
                                 " GB/s, " + figure(reading->medianUs) + " µs"});
  }
  return series;
}

/// Whose lines are drawn where nobody was picked: more than a handful cannot be told apart. The chosen
/// strategy, the slowest, the fastest, and those spread evenly between.
std::set<std::string> readableLines(const BenchData& data, const BenchChoice& choice) {
  constexpr std::size_t kReadable = 5;
  const std::vector<std::uint64_t> sizes = data.sizes(choice.setting);
  if (sizes.empty()) return {};
  std::vector<std::pair<double, std::string>> ranked;
  for (const std::string& id : contenderIds()) {
    const auto reading = data.reading(choice.setting.key(id, sizes.back()));
    if (reading && !reading->wrong) ranked.emplace_back(reading->gbps, id);
  }
  std::ranges::sort(ranked);
  std::set<std::string> ids;
  const std::size_t shown = std::min(kReadable, ranked.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t at = shown > 1 ? i * (ranked.size() - 1) / (shown - 1) : 0;
    ids.insert(ranked[at].second);
  }
  if (choice.highlighted != nullptr) ids.insert(std::string(choice.highlighted->id));
  return ids;
}

/// The bandwidth that a kernel would reach that does nothing but be launched.
LineSeries launchFloor(const BenchData& data, const BenchChoice& choice) {
  LineSeries series;
  series.label = "launch alone";
  series.reference = true;
  const double bytes = static_cast<double>(elementBytes(choice.setting.type));
  for (const std::uint64_t n : data.sizes(choice.setting)) {
    const double gbps = gigabytesPerSecond(1, data.ceiling()->launchUs) * bytes * static_cast<double>(n);
    if (gbps > data.ceiling()->gbps) break;
    series.points.push_back(
        {static_cast<double>(n), gbps,
         "Nothing is faster than an empty kernel: " + figure(data.ceiling()->launchUs) + " µs"});
  }
  return series;
}

}  // namespace

std::string contenderTitle(const std::string& id) {
  const Strategy* strategy = findStrategy(id);
  return strategy != nullptr ? strategy->title : id == kCubId ? "CUB DeviceReduce" : id;
}

std::vector<std::string> contenderIds() {
  std::vector<std::string> ids;
  for (const Strategy& strategy : strategies()) {
    if (strategy.result != ResultKind::Julia) ids.emplace_back(strategy.id);
  }
  ids.emplace_back(kCubId);
  return ids;
}

BarChart gpuBars(const BenchData& data, const BenchData* pinned, const BenchChoice& choice, bool time) {
  BarChart chart;
  for (const std::string& id : contenderIds()) {
    const SeriesKey key = choice.setting.key(id, choice.n);
    const auto reading = choice.shows(id) ? data.reading(key) : std::nullopt;
    if (!reading) continue;
    chart.bars.push_back(barOf(id, *reading, time));
    chart.bars.back().highlight = choice.highlighted != nullptr && choice.highlighted->id == id;
    if (pinned != nullptr) comparePinned(chart.bars.back(), pinned->reading(key), time);
  }
  const auto& ceiling = data.ceiling();
  if (!time && !chart.bars.empty() && ceiling && ceiling->gbps > 0) {
    chart.lines.push_back({ceiling->gbps, "read ceiling " + figure(ceiling->gbps) + " GB/s"});
  }
  if (time && !chart.bars.empty() && ceiling && ceiling->launchUs > 0) {
    chart.lines.push_back({ceiling->launchUs, "launch alone " + figure(ceiling->launchUs) + " µs"});
  }
  chart.empty = "No measurements for this choice yet: press Run on a machine with a GPU.";
  return chart;
}

LineChart gpuLines(const BenchData& data, const BenchData* pinned, const BenchChoice& choice) {
  LineChart chart;
  chart.xLabel = "N, elements";
  chart.yLabel = "GB/s";
  const std::set<std::string> shown = choice.picks.empty() ? readableLines(data, choice) : choice.picks;
  for (const std::string& id : contenderIds()) {
    if (!shown.contains(id)) continue;
    LineSeries series = lineOf(data, choice, id);
    series.highlight = choice.highlighted != nullptr && choice.highlighted->id == id;
    const bool isLit = series.highlight;
    if (!series.points.empty()) chart.series.push_back(std::move(series));
    if (pinned == nullptr || (!isLit && choice.picks.empty())) continue;
    LineSeries before = lineOf(*pinned, choice, id);
    before.label = "pinned: " + before.label;
    before.reference = true;
    if (!before.points.empty()) chart.series.push_back(std::move(before));
  }
  const auto& ceiling = data.ceiling();
  if (!chart.series.empty() && ceiling && ceiling->gbps > 0) {
    chart.horizontals.push_back({ceiling->gbps, "read ceiling"});
    if (ceiling->launchUs > 0) {
      LineSeries floor = launchFloor(data, choice);
      if (floor.points.size() > 1) chart.series.push_back(std::move(floor));
    }
  }
  if (!chart.series.empty() && data.hello() && data.hello()->l2Bytes > 0) {
    const std::uint64_t elements = data.hello()->l2Bytes / elementBytes(choice.setting.type);
    chart.verticals.push_back(
        {static_cast<double>(elements), "L2: " + std::to_string(data.hello()->l2Bytes >> 20U) + " MiB"});
  }
  chart.empty = "No measurements for this choice yet: press Run on a machine with a GPU.";
  return chart;
}

}  // namespace lanescope
