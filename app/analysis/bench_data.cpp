#include "app/analysis/bench_data.h"

#include <set>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/statistics.h"

namespace lanescope {
namespace {

BenchReading readingOfResult(const ResultMessage& result) {
  BenchReading reading;
  reading.finished = true;
  reading.wrong = !result.verified;
  reading.medianUs = result.medianUs;
  reading.q1Us = result.q1Us;
  reading.q3Us = result.q3Us;
  reading.gbps = result.gbps;
  reading.samples = result.samples;
  reading.discarded = result.discarded;
  return reading;
}

std::uint64_t toBytes(const SeriesKey& key) {
  const Strategy* strategy = findStrategy(key.strategy);
  if (strategy == nullptr || key.scope == Scope::Full)
    return bytesMoved(nullptr, Scope::Full, key.n, 1, key.type);
  // The grid of this GPU is unknown here: a kernel that strides over it writes almost nothing.
  const auto shape = shapeOfThreads(*strategy, key.n, key.block, 1, kWarpThreads, key.type, key.blocks);
  return bytesMoved(strategy, key.scope, key.n, shape ? shape->outElements : 1, key.type);
}

}  // namespace

/// The series to add to, emptied if the run is a new one; nullptr once there are too many.
BenchSeries* BenchData::findSeries(const SeriesKey& key, std::uint64_t run) {
  if (!series_.contains(key) && series_.size() >= kMaxSeries) return nullptr;
  BenchSeries& series = series_[key];
  if (series.run != run) series = BenchSeries{run, {}, {}, {}};
  return &series;
}

void BenchData::apply(const WorkerMessage& message) {
  if (const auto* hello = std::get_if<HelloMessage>(&message)) {
    hello_ = *hello;
  } else if (const auto* ceiling = std::get_if<CeilingMessage>(&message)) {
    ceiling_ = *ceiling;
  } else if (const auto* progress = std::get_if<ProgressMessage>(&message)) {
    progress_ = *progress;
    lastError_.clear();
  } else if (const auto* sample = std::get_if<SampleMessage>(&message)) {
    BenchSeries* series = findSeries(sample->series, sample->run);
    if (series != nullptr && series->samples.size() < kMaxKeptSamples) series->samples.push_back(sample->us);
  } else if (const auto* result = std::get_if<ResultMessage>(&message)) {
    BenchSeries* series = findSeries(result->series, result->run);
    if (series == nullptr) return;
    series->result = *result;
    if (hello_) series->date = hello_->date;
  } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
    lastError_ = error->sentence;
  } else if (std::holds_alternative<DoneMessage>(message)) {
    progress_.reset();
  }
}

const BenchSeries* BenchData::find(const SeriesKey& key) const {
  const auto found = series_.find(key);
  return found == series_.end() ? nullptr : &found->second;
}

std::optional<BenchReading> BenchData::reading(const SeriesKey& key) const {
  const BenchSeries* series = find(key);
  if (series == nullptr) return std::nullopt;
  if (series->result) return readingOfResult(*series->result);
  if (series->samples.empty()) return std::nullopt;
  const Summary summary = summarise(series->samples);
  BenchReading reading;
  reading.medianUs = summary.quartiles.median;
  reading.q1Us = summary.quartiles.q1;
  reading.q3Us = summary.quartiles.q3;
  reading.samples = summary.used;
  reading.discarded = summary.discarded;
  reading.gbps = gigabytesPerSecond(toBytes(key), reading.medianUs);
  return reading;
}

std::vector<std::uint64_t> BenchData::sizes(const BenchSetting& setting) const {
  std::set<std::uint64_t> sizes;
  for (const auto& [key, series] : series_) {
    if (setting.covers(key)) sizes.insert(key.n);
  }
  return {sizes.begin(), sizes.end()};
}

}  // namespace lanescope
