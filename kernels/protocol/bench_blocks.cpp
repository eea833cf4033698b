#include "kernels/protocol/bench_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "kernels/protocol/listed.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

/// Names listed before the others are only counted.
constexpr std::size_t kNamed = 4;

Result<std::uint64_t> parseCount(const std::string& text, const char* what, std::uint64_t most) {
  const auto count = parseSize(text);
  if (!count) return count.error();
  if (*count >= 1 && *count <= most) return *count;
  return Error{"'" + printable(text, 40) + "' is not a number of " + what + ".",
               "Choose from 1 to " + std::to_string(most) + "."};
}

}  // namespace

std::uint64_t blocksFor(std::uint64_t n, std::uint32_t threads, std::uint64_t perThread) {
  // No product of the two is needed, so none can overflow.
  const std::uint64_t shares = perThread == 0 ? n : (n + perThread - 1) / perThread;
  return std::max<std::uint64_t>(1, threads == 0 ? shares : (shares + threads - 1) / threads);
}

Result<std::vector<std::uint64_t>> blocksAskedFor(const std::vector<std::string>& blocks,
                                                  const std::vector<std::string>& perThread, std::uint64_t n,
                                                  std::uint32_t threads) {
  std::vector<std::uint64_t> counts;
  const auto add = [&](std::uint64_t count) {
    if (std::ranges::find(counts, count) == counts.end()) counts.push_back(count);
  };
  for (const std::string& text : blocks) {
    const auto count = parseCount(text, "blocks", kMaxBenchBlocks);
    if (!count) return count.error();
    add(*count);
  }
  for (const std::string& text : perThread) {
    const auto elements = parseCount(text, "elements per thread", kMaxBenchN);
    if (!elements) return elements.error();
    add(blocksFor(n, threads, *elements));
  }
  return counts;
}

Result<std::vector<BenchRequest>> requestsOver(const BenchRequest& request,
                                               const std::vector<std::uint64_t>& blocks) {
  if (blocks.empty()) {
    const auto contenders = makeContenders(request);
    if (!contenders) return contenders.error();
    return std::vector<BenchRequest>{request};
  }
  std::vector<BenchRequest> requests;
  for (const std::uint64_t count : blocks) {
    BenchRequest one = request;
    one.blocks = count;
    const auto contenders = makeContenders(one);
    if (!contenders) return contenders.error();
    if (!requests.empty()) {
      one.strategies.clear();
      for (const Contender& contender : *contenders) {
        if (contender.blocks > 0) one.strategies.push_back(contender.id);
      }
    }
    requests.push_back(std::move(one));
  }
  return requests;
}

std::string ownGridsText(const BenchRequest& request) {
  if (request.blocks == 0) return {};
  const auto contenders = makeContenders(request);
  if (!contenders) return {};
  std::vector<std::string> ids;
  for (const Contender& contender : *contenders) {
    if (contender.blocks == 0) ids.push_back("'" + contender.id + "'");
  }
  if (ids.empty()) return {};
  return "The number of blocks is not for " + listedBriefly(ids, kNamed) +
         (ids.size() == 1 ? ": it keeps its own grid." : ": they keep their own grids.");
}

std::string perThreadText(double elements) {
  if (elements >= 1000) return withCommas(static_cast<std::uint64_t>(std::llround(elements)));
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.4g", elements);
  return text.data();
}

std::string elementsPerThreadText(double elements) {
  const std::string number = perThreadText(elements);
  return number + (number == "1" ? " element per thread" : " elements per thread");
}

double elementsPerThread(const ResultMessage& result) {
  if (result.elementsPerThread > 0) return result.elementsPerThread;
  const SeriesKey& series = result.series;
  const Strategy* strategy = findStrategy(series.strategy);
  if (strategy == nullptr || result.grid == 0) return 0;
  BenchRequest request{.n = series.n, .block = series.block, .scope = series.scope, .type = series.type};
  const auto launches = makeLaunches(*strategy, request, 1);
  if (!launches) return 0;
  if (strategy->isOneThread) return static_cast<double>(series.n);
  // The grid depends on the GPU, the threads of a block do not.
  return static_cast<double>(series.n) / (static_cast<double>(result.grid) * launches->front().threads());
}

}  // namespace lanescope
