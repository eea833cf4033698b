#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/views/gpu_view.h"

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

BarEntry barOf(const Strategy& strategy, const BenchReading& reading, bool time) {
  BarEntry bar;
  bar.label = strategy.title;
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

}  // namespace

BarChart gpuBars(const BenchData& data, std::uint64_t n, const BenchSetting& setting, bool time,
                 const Strategy* highlighted) {
  BarChart chart;
  for (const Strategy& strategy : strategies()) {
    const auto reading = data.reading(setting.key(strategy.id, n));
    if (!reading) continue;
    chart.bars.push_back(barOf(strategy, *reading, time));
    chart.bars.back().highlight = &strategy == highlighted;
  }
  if (!time && !chart.bars.empty() && data.ceiling() && data.ceiling()->gbps > 0) {
    chart.lines.push_back({data.ceiling()->gbps, "read ceiling " + figure(data.ceiling()->gbps) + " GB/s"});
  }
  chart.empty = "No measurements for this N and block yet.";
  return chart;
}

LineChart gpuLines(const BenchData& data, const BenchSetting& setting, const Strategy* highlighted) {
  LineChart chart;
  chart.xLabel = "N, elements";
  chart.yLabel = "GB/s";
  for (const Strategy& strategy : strategies()) {
    LineSeries series;
    series.label = strategy.title;
    series.highlight = &strategy == highlighted;
    for (const std::uint64_t n : data.sizes(setting)) {
      const auto reading = data.reading(setting.key(strategy.id, n));
      if (!reading || reading->wrong || reading->gbps <= 0) continue;
      series.points.push_back(
          {static_cast<double>(n), reading->gbps,
           strategy.title + "\n" + figure(reading->gbps) + " GB/s, " + figure(reading->medianUs) + " µs"});
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  if (!chart.series.empty() && data.ceiling() && data.ceiling()->gbps > 0) {
    chart.horizontals.push_back({data.ceiling()->gbps, "read ceiling"});
  }
  chart.empty = "No measurements for this block size yet.";
  return chart;
}

}  // namespace lanescope
