#include "kernels/protocol/bench_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "kernels/protocol/text_parts.h"
#include "kernels/strategies/catalogue.h"
#include "sim/base/counted.h"

namespace lanescope {
namespace {

double quantileOfSorted(std::span<const double> sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - static_cast<double>(below);
  return sorted[below] + weight * (sorted[above] - sorted[below]);
}

}  // namespace

Quartiles quartiles(std::span<const double> samples) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return {quantileOfSorted(sorted, 0.25), quantileOfSorted(sorted, 0.5), quantileOfSorted(sorted, 0.75)};
}

Summary summarise(std::span<const double> samples) {
  const Quartiles all = quartiles(samples);
  const double fence = std::max(3.0 * all.range(), 0.05 * all.median);
  std::vector<double> kept;
  kept.reserve(samples.size());
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(kept),
               [&](double sample) { return sample >= all.q1 - fence && sample <= all.q3 + fence; });
  return {quartiles(kept), kept.size(), samples.size() - kept.size()};
}

double medianNoise(std::span<const double> samples) {
  const Quartiles q = quartiles(samples);
  if (samples.size() < 2 || q.median <= 0) return 1.0;
  return 1.57 * q.range() / std::sqrt(static_cast<double>(samples.size())) / q.median;
}

bool enoughSamples(std::span<const double> samples, const StoppingRule& rule) {
  if (samples.size() >= rule.maxSamples) return true;
  return samples.size() >= rule.minSamples && medianNoise(samples) < rule.noise;
}

namespace {

std::optional<Error> checkBlock(std::uint32_t block) {
  const std::string blockText = "A block of " + std::to_string(block) + " threads";
  const std::string wanted = "Choose a power of two from 32 to 1024.";
  if (block == 0) return Error{"A block of 0 threads computes nothing.", wanted};
  if (block > kMaxBenchBlock) return Error{blockText + " is over CUDA's limit of 1024.", wanted};
  if (block < kMinBenchBlock) return Error{blockText + " is smaller than a warp.", wanted};
  if (!std::has_single_bit(block)) {
    return Error{blockText + " cannot be halved down to one: these kernels need a power of two.", wanted};
  }
  return std::nullopt;
}

/// The reason why a strategy cannot run the request, as far as it does not depend on the GPU.
std::optional<Error> findProblem(const Strategy& strategy, const BenchRequest& request) {
  const std::string name = "'" + std::string(strategy.id) + "'";
  if (!strategy.takes(request.type)) {
    return Error{name + " is not for elements of type " + std::string(elementTypeName(request.type)) + ".",
                 "Leave it out, or choose another type."};
  }
  if (request.scope == Scope::Full && !strategy.reducesToOne()) {
    return Error{name + " does not reduce to one value.", "Time its kernel alone."};
  }
  if (!isTimedAt(strategy, request.n)) {
    return Error{name + " is so slow that it is only timed up to N = " + sizeText(strategy.largestN) + ".",
                 "Leave it out, or choose a smaller N."};
  }
  constexpr std::uint32_t kAnySms = 128;
  const auto launches = makeLaunches(strategy, request, kAnySms);
  if (!launches) return launches.error();
  return std::nullopt;
}

/// The strategy's number of blocks; 0 if it keeps its own grid.
std::uint64_t findBlocks(const Strategy& strategy, const BenchRequest& request) {
  return strategy.takesBlocks() ? request.blocks : 0;
}

/// The reason why no strategy can use the requested blocks; empty if one can.
std::optional<Error> checkBlocks(const BenchRequest& request) {
  if (request.blocks <= kMaxBenchBlocks) return std::nullopt;
  return Error{std::to_string(request.blocks) + " blocks are more than a grid has.",
               "Choose at most " + std::to_string(kMaxBenchBlocks) + "."};
}

Error nobodyTakesBlocks(const std::vector<Contender>& chosen, ElementType type) {
  std::string ids;
  for (const Strategy& strategy : strategies()) {
    if (strategy.takesBlocks() && strategy.takes(type))
      ids += (ids.empty() ? "'" : ", '") + std::string(strategy.id) + "'";
  }
  const std::string who =
      chosen.size() == 1 ? "'" + chosen.front().id + "' keeps its own grid and takes no number of blocks."
                         : "These strategies keep their own grids: none of them takes a number of blocks.";
  return Error{who, "Choose from " + ids + "."};
}

Result<Contender> makeContender(const std::string& id, const BenchRequest& request) {
  if (id == kCubId) {
    if (request.scope == Scope::Full) return Contender{id, nullptr};
    return Error{"CUB is timed as a whole reduction.", "Ask for the scope `full`."};
  }
  const Strategy* strategy = findStrategy(id);
  if (strategy == nullptr) {
    return Error{"There is no strategy '" + printable(id, 60) + "'.", nearestStrategiesText(id)};
  }
  if (auto problem = findProblem(*strategy, request)) return *problem;
  return Contender{id, strategy, findBlocks(*strategy, request)};
}

/// All contenders that can run the request; if there are none, the reason of the first.
Result<std::vector<Contender>> everyone(const BenchRequest& request) {
  std::vector<Contender> chosen;
  std::optional<Error> firstProblem;
  for (const Strategy& strategy : strategies()) {
    if (strategy.family != Family::Reduction || !strategy.broken.empty()) continue;
    auto problem = findProblem(strategy, request);
    if (!problem) chosen.push_back({std::string(strategy.id), &strategy, findBlocks(strategy, request)});
    if (problem && !firstProblem) firstProblem = std::move(problem);
  }
  if (chosen.empty() && firstProblem) return *firstProblem;
  if (request.scope == Scope::Full) chosen.push_back({std::string(kCubId), nullptr});
  return chosen;
}

/// The contenders that the request names, each once.
Result<std::vector<Contender>> named(const BenchRequest& request) {
  std::vector<Contender> chosen;
  for (const std::string& id : request.strategies) {
    auto contender = makeContender(id, request);
    if (!contender) return contender.error();
    const bool isPresent =
        std::ranges::any_of(chosen, [&](const Contender& other) { return other.id == id; });
    if (!isPresent) chosen.push_back(std::move(*contender));
  }
  return chosen;
}

/// Buffers that the kernel reads its elements from.
std::uint64_t countInputs(const Strategy& strategy) {
  return static_cast<std::uint64_t>(std::ranges::count_if(strategy.parameters, [](Parameter parameter) {
    return parameter == Parameter::In || parameter == Parameter::B;
  }));
}

}  // namespace

Result<std::vector<Contender>> makeContenders(const BenchRequest& request) {
  if (!request.cold && !request.warm) {
    return Error{"Neither cold nor warm samples were asked for.", "Choose at least one of them."};
  }
  if (request.n > kMaxBenchN) {
    return Error{"N = " + sizeText(request.n) + " is over 2^31, the limit of the kernels' 32-bit indices."};
  }
  if (request.n == 0) return Error{"There is nothing to reduce: N is 0.", "Choose at least 1."};
  if (auto problem = checkBlock(request.block)) return *problem;
  if (auto problem = checkBlocks(request)) return *problem;
  auto chosen = request.strategies.empty() ? everyone(request) : named(request);
  const auto takesBlocks = [](const Contender& contender) { return contender.blocks > 0; };
  if (chosen && request.blocks > 0 && std::ranges::none_of(*chosen, takesBlocks))
    return nobodyTakesBlocks(*chosen, request.type);
  return chosen;
}

bool isTimedAt(const Strategy& strategy, std::uint64_t n) {
  return strategy.largestN == 0 || n <= strategy.largestN;
}

Result<std::vector<StrategyShape>> makeLaunches(const Strategy& strategy, const BenchRequest& request,
                                                std::uint32_t sms) {
  const std::uint64_t mostBlocks = ownMostBlocks(strategy, request.n, request.block, sms);
  if (request.scope == Scope::Full)
    return passesToOne(strategy, request.n, request.block, mostBlocks, kWarpThreads, request.type,
                       request.blocks);
  auto shape = shapeOfThreads(strategy, request.n, request.block, mostBlocks, kWarpThreads, request.type,
                              request.blocks);
  if (!shape) return shape.error();
  return std::vector<StrategyShape>{std::move(*shape)};
}

Result<std::vector<StrategyShape>> makeLaunches(const Contender& contender, const BenchRequest& request,
                                                std::uint32_t sms) {
  if (contender.variant == nullptr) return makeLaunches(*contender.strategy, request, sms);
  auto shape = contender.variant->shape(request.n, sms, request.type);
  if (!shape) return shape.error();
  return std::vector<StrategyShape>{std::move(*shape)};
}

Result<std::uint64_t> parseSize(std::string_view text) {
  if (const auto size = readSize(text)) return *size;
  return Error{"'" + printable(text, 40) + "' is not a size.", "Write a number such as 1024 or 2^24."};
}

std::string bytesText(std::uint64_t bytes) {
  std::array<char, 32> text{};
  const double value = static_cast<double>(bytes);
  if (value >= 1e9) {
    std::snprintf(text.data(), text.size(), "%.1f GB", value / 1e9);
  } else {
    std::snprintf(text.data(), text.size(), "%.0f MB", std::max(1.0, value / 1e6));
  }
  return text.data();
}

std::uint64_t bytesMoved(const Strategy* strategy, Scope scope, std::uint64_t n, std::uint64_t out,
                         ElementType type) {
  if (scope == Scope::Full || strategy == nullptr) return (n + 1) * elementBytes(type);
  return (n * countInputs(*strategy) + out) * elementBytes(type);
}

bool onlyWrites(std::string_view id) {
  const Strategy* strategy = findStrategy(id);
  return strategy != nullptr && countInputs(*strategy) == 0;
}

double gigabytesPerSecond(std::uint64_t bytes, double microseconds) {
  return microseconds > 0 ? static_cast<double>(bytes) / microseconds / 1e3 : 0.0;
}

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

Error noSuchExperiment(std::string_view id) {
  std::string ids;
  for (const Experiment& experiment : experiments()) ids += (ids.empty() ? "" : ", ") + experiment.id;
  return Error{"There is no experiment '" + printable(id, 60) + "'.", "Choose from " + ids + "."};
}

Result<BenchRequest> makeBench(const ExperimentRequest& request) {
  const Experiment* const experiment = findExperiment(request.experiment);
  if (experiment == nullptr) return noSuchExperiment(request.experiment);
  BenchRequest bench;
  bench.run = request.run;
  bench.n = request.n > 0 ? request.n : experiment->n;
  bench.block = experiment->block;
  bench.type = experiment->type;
  bench.cold = !experiment->isWarm;
  bench.warm = experiment->isWarm;
  bench.maxSamples = request.maxSamples;
  if (bench.n > kMaxBenchN)
    return Error{"N = " + sizeText(bench.n) + " is over 2^31, the limit of the kernels' 32-bit indices."};
  return bench;
}

Result<std::vector<Contender>> makeContenders(const Experiment& experiment, const BenchRequest& request) {
  auto variants = makeVariants(experiment);
  if (!variants) return variants.error();
  std::vector<Contender> chosen;
  for (Variant& variant : *variants) {
    constexpr std::uint32_t kAnySms = 128;
    const auto shape = variant.shape(request.n, kAnySms, request.type);
    if (!shape) return shape.error();
    const auto owned = std::make_shared<const Variant>(std::move(variant));
    chosen.push_back({owned->series, &owned->strategy, owned->blocks, owned});
  }
  return chosen;
}

}  // namespace lanescope
