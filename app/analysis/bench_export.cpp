#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "app/analysis/bench_data.h"
#include "app/analysis/report.h"
#include "kernels/protocol/bench_rules.h"
#include "kernels/strategies/shape.h"
#include "sim/base/counted.h"
#include "sim/base/json.h"

namespace lanescope {
namespace {

/// The results there are, in the order of their series.
std::vector<const ResultMessage*> collectResults(const BenchData& data) {
  std::vector<const ResultMessage*> results;
  for (const auto& [key, series] : data.series()) {
    if (series.result) results.push_back(&*series.result);
  }
  return results;
}

Json resultJson(const ResultMessage& result) {
  Json json{{"strategy", result.series.strategy},
            {"n", result.series.n},
            {"block", result.series.block},
            {"cache", cacheStateName(result.series.cache)},
            {"scope", scopeName(result.series.scope)},
            {"element", elementTypeName(result.series.type)},
            {"grid", result.grid},
            {"launches", result.launches},
            {"verified", result.verified},
            {"bytes", result.bytes}};
  if (result.verified) {
    json["median_us"] = result.medianUs;
    json["q1_us"] = result.q1Us;
    json["q3_us"] = result.q3Us;
    json["samples"] = result.samples;
    json["discarded"] = result.discarded;
    json["gbps"] = result.gbps;
  }
  const double perThread = elementsPerThread(result);
  json["blocks"] = result.series.blocks > 0 ? Json(result.series.blocks) : Json(nullptr);
  json["elements_per_thread"] = perThread > 0 ? Json(perThread) : Json(nullptr);
  return json;
}

/// The requested grid, and the elements per thread that it leaves; empty if none was requested.
std::string blocksText(const ResultMessage& result) {
  if (result.series.blocks == 0) return {};
  return fmt::format(", {}, {}", counted(result.series.blocks, "block"),
                     elementsPerThreadText(elementsPerThread(result)));
}

std::string heading(const SeriesKey& key) {
  return fmt::format("N = {}, {} per block, {}, {}, {}", sizeText(key.n), counted(key.block, "thread"),
                     elementTypeName(key.type),
                     key.cache == CacheState::Cold ? "L2 flushed before each sample" : "L2 warm",
                     key.scope == Scope::Full ? "to one value" : "one kernel");
}

}  // namespace

std::string benchJson(const BenchData& data) {
  Json json;
  json["schema"] = "lanescope.bench/1";
  json["gpu"] = nullptr;
  if (const auto& hello = data.hello()) {
    json["gpu"] = Json{{"name", hello->gpu},
                       {"compute_capability", hello->computeCapability},
                       {"driver", hello->driver},
                       {"cuda", hello->cudaRuntime},
                       {"sms", hello->sms},
                       {"l2_bytes", hello->l2Bytes},
                       {"memory_bytes", hello->memoryBytes},
                       {"theoretical_gbps", hello->theoreticalGBps},
                       {"date", hello->date}};
  }
  const auto& ceiling = data.ceiling();
  json["ceiling_gbps"] = ceiling ? Json(ceiling->gbps) : Json(nullptr);
  json["launch_us"] = ceiling ? Json(ceiling->launchUs) : Json(nullptr);
  json["results"] = Json::array();
  for (const ResultMessage* result : collectResults(data)) json["results"].push_back(resultJson(*result));
  return jsonText(json);
}

std::string benchCsv(const BenchData& data) {
  const HelloMessage hello = data.hello().value_or(HelloMessage{});
  std::vector<Json> rows;
  for (const ResultMessage* result : collectResults(data)) {
    rows.push_back({{"gpu", hello.gpu}, {"driver", hello.driver}, {"date", hello.date}});
    rows.back().update(resultJson(*result));
  }
  return csvText(
      "gpu,driver,date,strategy,n,block,cache,scope,element,grid,launches,verified,bytes,median_us,q1_us,"
      "q3_us,samples,discarded,gbps,blocks,elements_per_thread",
      rows);
}

std::string benchText(const BenchData& data) {
  std::vector<const ResultMessage*> results = collectResults(data);
  const auto setting = [](const ResultMessage* result) {
    const SeriesKey& key = result->series;
    return std::tuple(key.scope, key.type, key.cache, key.block, key.n);
  };
  std::ranges::stable_sort(results, [&](const ResultMessage* a, const ResultMessage* b) {
    const auto rank = [](const ResultMessage* r) { return r->verified ? r->medianUs : 1e300; };
    return std::tuple(setting(a), rank(a)) < std::tuple(setting(b), rank(b));
  });
  std::string text;
  if (const auto& hello = data.hello()) text += fmt::format("{}, {}\n", hello->gpu, hello->date);
  const ResultMessage* last = nullptr;
  for (const ResultMessage* result : results) {
    if (last == nullptr || setting(last) != setting(result)) text += "\n" + heading(result->series) + "\n";
    last = result;
    text +=
        result->verified
            ? fmt::format("  {:<28} {:>12.2f} µs  {:>8.1f} GB/s  {:>3} samples{}{}\n",
                          result->series.strategy, result->medianUs, result->gbps, result->samples,
                          onlyWrites(result->series.strategy) ? ", written only" : "", blocksText(*result))
            : fmt::format("  {:<28} {:>12}{}\n", result->series.strategy, "wrong result",
                          blocksText(*result));
  }
  if (const auto& ceiling = data.ceiling()) {
    text += fmt::format("\nread ceiling {:.0f} GB/s; an empty kernel takes {:.1f} µs of every time\n",
                        ceiling->gbps, ceiling->launchUs);
  }
  return text;
}

std::string recordingText(const BenchData& data) {
  if (!data.hello()) return {};
  std::string text = toLine(WorkerMessage(*data.hello())) + "\n";
  if (data.ceiling()) text += toLine(WorkerMessage(*data.ceiling())) + "\n";
  for (const auto& [key, series] : data.series()) {
    for (std::size_t i = 0; i < series.samples.size(); ++i) {
      const SampleMessage sample{std::max<std::uint64_t>(series.run, 1), key, static_cast<std::uint32_t>(i),
                                 series.samples[i]};
      text += toLine(WorkerMessage(sample)) + "\n";
    }
    if (series.result) text += toLine(WorkerMessage(*series.result)) + "\n";
  }
  return text;
}

}  // namespace lanescope
