#include "app/analysis/bench_data.h"

#include <bit>
#include <set>
#include <vector>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/text_parts.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

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
  if (const auto& result = series->result)
    return BenchReading{!result->verified, result->medianUs, result->q1Us,
                        result->q3Us,      result->gbps,     result->samples};
  if (series->samples.empty()) return std::nullopt;
  const Summary summary = summarise(series->samples);
  const auto [q1, median, q3] = summary.quartiles;
  return BenchReading{false, median, q1, q3, gigabytesPerSecond(toBytes(key), median), summary.used};
}

std::vector<std::uint64_t> BenchData::sizes(const BenchSetting& setting) const {
  std::set<std::uint64_t> sizes;
  for (const auto& [key, series] : series_) {
    if (setting.covers(key)) sizes.insert(key.n);
  }
  return {sizes.begin(), sizes.end()};
}

namespace {

/// The possible differences of a series from the current view, the slightest first.
enum Difference : unsigned { InN = 1, InCache = 2, InBlock = 4, InScope = 8, InType = 16 };

unsigned countDifferences(const SeriesKey& key, const BenchSetting& setting,
                          const std::optional<std::uint64_t>& n) {
  return (n && key.n != *n ? InN : 0U) | (key.cache != setting.cache ? InCache : 0U) |
         (key.block != setting.block ? InBlock : 0U) | (key.scope != setting.scope ? InScope : 0U) |
         (key.type != setting.type ? InType : 0U);
}

/// The settings of the current series, each once and ascending.
struct Found {
  std::set<std::string> ids;
  std::set<std::uint64_t> sizes;
  std::set<std::uint32_t> blocks;
  std::set<CacheState> caches;
  std::set<Scope> scopes;
  std::set<ElementType> types;

  void add(const SeriesKey& key) {
    ids.insert(key.strategy);
    sizes.insert(key.n);
    blocks.insert(key.block);
    caches.insert(key.cache);
    scopes.insert(key.scope);
    types.insert(key.type);
  }
};

template <class Set, class Name>
std::string listValues(const Set& values, Name nameOf) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const auto& value : values) words.emplace_back(nameOf(value));
  return listed(words);
}

/// `2^10 to 2^28`.
std::string sizesText(const std::set<std::uint64_t>& sizes) {
  const std::string first = sizeText(*sizes.begin());
  return sizes.size() == 1 ? first : first + " to " + sizeText(*sizes.rbegin());
}

std::string scopeText(Scope scope) { return scope == Scope::Full ? "to one value" : "a kernel alone"; }
std::string threadCountText(std::uint32_t block) { return std::to_string(block); }

}  // namespace

std::string contentsText(const BenchData& data) {
  Found found;
  for (const auto& [key, series] : data.series()) found.add(key);
  if (found.ids.empty()) return "nothing was timed";
  const bool hasCub = found.ids.erase(std::string(kCubId)) > 0;
  std::string text = found.ids.empty() ? "" : counted(found.ids.size(), "kernel");
  if (hasCub) text += text.empty() ? "CUB" : " and CUB";
  const bool isFull = found.scopes.contains(Scope::Full);
  text += isFull && found.scopes.size() > 1 ? " alone and to one value" : isFull ? " to one value" : " alone";
  text += ", N = " + sizesText(found.sizes);
  if (found.sizes.size() > 1) text += ", " + counted(found.sizes.size(), "size");
  text += ", block " + listValues(found.blocks, threadCountText);
  if (found.types != std::set{ElementType::Float}) text += ", " + listValues(found.types, elementTypeName);
  return text + ", " + listValues(found.caches, cacheStateName);
}

BenchDifference computeDifference(const BenchData& data, const BenchSetting& setting,
                                  const std::optional<std::uint64_t>& n) {
  unsigned least = ~0U;
  Found nearest;
  const auto rank = [](unsigned differences) {
    return (std::popcount(differences) << 8) + static_cast<int>(differences);
  };
  for (const auto& [key, series] : data.series()) {
    const unsigned differences = countDifferences(key, setting, n);
    if (differences == 0) return {};
    if (least != ~0U && rank(differences) > rank(least)) continue;
    if (differences != least) nearest = {};
    least = differences;
    nearest.add(key);
  }
  if (least == ~0U) return {BenchDifference::Kind::Nothing, {}};
  std::vector<std::string> words;
  if ((least & InN) != 0) words.push_back("at N = " + sizesText(nearest.sizes) + ", not " + sizeText(*n));
  if ((least & InCache) != 0)
    words.push_back(listValues(nearest.caches, cacheStateName) + ", not " +
                    std::string(cacheStateName(setting.cache)));
  if ((least & InBlock) != 0)
    words.push_back("with " + listValues(nearest.blocks, threadCountText) + " threads per block, not " +
                    threadCountText(setting.block));
  if ((least & InScope) != 0)
    words.push_back(listValues(nearest.scopes, scopeText) + ", not " + scopeText(setting.scope));
  if ((least & InType) != 0)
    words.push_back("on elements of type " + listValues(nearest.types, elementTypeName) + ", not " +
                    std::string(elementTypeName(setting.type)));
  std::string how;
  for (std::size_t i = 0; i < words.size(); ++i)
    how += (i == 0 ? "" : i + 1 < words.size() ? "; " : "; and ") + words[i];
  return {BenchDifference::Kind::Elsewhere, std::move(how)};
}

}  // namespace lanescope
