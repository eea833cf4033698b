// Runs every strategy on the GPU: every type of element, kernel alone and whole reduction, block sizes,
// numbers of blocks, sizes of N with the odd ones, every operator; CUB beside. Compares every result with the
// host's in double precision and prints a table. Ends with 77, which ctest counts as skipped, where there is
// no GPU.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/expected_results.h"
#include "kernels/tests/operators_on_gpu.h"
#include "kernels/worker/bench.h"
#include "kernels/worker/cuda_call.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {
namespace {

constexpr int kSkipped = 77;

/// Right and wrong results, by what was run.
struct Tally {
  using Key = std::tuple<std::string, std::string, std::string, std::string>;  // the columns of the table
  std::map<Key, std::pair<int, int>> rows;
  int wrong = 0;
  std::string blocks = "own";  ///< of the results to come: who chose their grid, or how

  void add(const SeriesKey& series, bool isRight) {
    auto& [right, bad] = rows[{series.strategy, std::string(scopeName(series.scope)),
                               std::string(elementTypeName(series.type)), blocks}];
    ++(isRight ? right : bad);
  }
};

bool isBroken(const std::string& id) {
  const Strategy* strategy = findStrategy(id);
  return strategy != nullptr && !strategy->broken.empty();
}

/// Counts a run's results; every contender must have given one. Returns whether there was anybody to run.
bool runOne(Bench& bench, BenchRequest request, Tally& tally) {
  request.run = 1;
  request.maxSamples = 2;
  request.warm = true;
  const std::string where = "N = " + sizeText(request.n) + ", block " + std::to_string(request.block) + ", " +
                            std::string(scopeName(request.scope)) + ", " +
                            std::string(elementTypeName(request.type)) +
                            (request.blocks > 0 ? ", " + std::to_string(request.blocks) + " blocks" : "");
  const auto contenders = makeContenders(request);
  if (!contenders) return false;  // no contender: block sums of an odd N
  std::size_t results = 0;
  const auto receive = [&](const WorkerMessage& message) {
    if (const auto* result = std::get_if<ResultMessage>(&message)) {
      ++results;
      tally.add(result->series, result->verified);
      if (result->series.blocks != request.blocks || (request.blocks > 0 && result->grid != request.blocks)) {
        ++tally.wrong;
        std::printf("wrong grid: %s, %s: %llu blocks\n", result->series.strategy.c_str(), where.c_str(),
                    static_cast<unsigned long long>(result->grid));
      }
      if (!result->verified && !isBroken(result->series.strategy)) {
        ++tally.wrong;
        std::printf("wrong: %s, %s: %llu of %llu, total %.17g, expected %.17g\n",
                    result->series.strategy.c_str(), where.c_str(),
                    static_cast<unsigned long long>(result->wrongBlocks),
                    static_cast<unsigned long long>(result->grid), result->got, result->expected);
      }
    } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
      std::printf("error: %s: %s\n", where.c_str(), error->sentence.c_str());
    }
    return true;
  };
  bench.run(request, receive, [] { return false; });
  if (results != 2 * contenders->size()) {
    std::printf("%s: %zu results, not %zu\n", where.c_str(), results, 2 * contenders->size());
    ++tally.wrong;
  }
  return true;
}

constexpr ElementType kTypes[] = {ElementType::Float, ElementType::Double, ElementType::Int};

void runReductions(Bench& bench, Tally& tally) {
  const std::uint64_t sizes[] = {1, 31, 33, 1024, 2048, 2048 * 3, 1U << 16U, 2048 * 1021, (1U << 20U) + 1};
  BenchRequest request;
  for (request.block = kMinBenchBlock; request.block <= kMaxBenchBlock; request.block *= 2) {
    for (const Scope scope : {Scope::Kernel, Scope::Full}) {
      for (const ElementType type : kTypes) {
        for (const std::uint64_t n : sizes) {
          request.scope = scope;
          request.type = type;
          request.n = n;
          runOne(bench, request, tally);
        }
      }
    }
  }
  request.block = 256;
  request.n = 1U << 24U;
  for (const Scope scope : {Scope::Kernel, Scope::Full}) {
    request.scope = scope;
    runOne(bench, request, tally);
  }
}

/// Those that a request for everyone leaves out: transposes, elements by themselves, and the ones that are
/// wrong by design. Powers of two suit them all; of the others, and of those that are too small for a tile,
/// some refuse.
void runOthers(Bench& bench, Tally& tally) {
  constexpr std::uint64_t kForAll[] = {1U << 10U, 1U << 15U, 1U << 20U, 1U << 21U};
  constexpr std::uint64_t kEdges[] = {1, 2, 31, 32, 33, 64, 2048 * 3, (1U << 20U) + 1};
  for (const Strategy& strategy : strategies()) {
    if (strategy.family == Family::Reduction && strategy.broken.empty()) continue;
    for (const ElementType type : strategy.types) {
      BenchRequest request{.strategies = {std::string(strategy.id)}, .type = type};
      // A transpose has its tiles for blocks, whatever is asked for.
      const bool takesBlocks = strategy.family == Family::Elements;
      request.block = takesBlocks ? kMinBenchBlock : 256;
      for (; request.block <= (takesBlocks ? kMaxBenchBlock : 256); request.block *= 2) {
        for (const std::uint64_t n : kForAll) {
          request.n = n;
          if (runOne(bench, request, tally)) continue;
          std::printf("refused: %s, N = %s\n", request.strategies.front().c_str(), sizeText(n).c_str());
          ++tally.wrong;
        }
        for (const std::uint64_t n : kEdges) {
          request.n = n;
          runOne(bench, request, tally);
        }
      }
    }
  }
}

/// Who takes a number of blocks and can do what else is asked; every such request suits multiple-elements.
std::vector<std::string> blockTakers(BenchRequest request, Tally& tally) {
  std::vector<std::string> ids;
  for (const Strategy& strategy : strategies()) {
    if (!strategy.takesBlocks()) continue;
    request.strategies = {std::string(strategy.id)};
    if (makeContenders(request)) ids.push_back(request.strategies.front());
  }
  if (std::ranges::find(ids, "multiple-elements") == ids.end()) {
    std::printf("refused: %llu blocks of %u, N = %s\n", static_cast<unsigned long long>(request.blocks),
                request.block, sizeText(request.n).c_str());
    ++tally.wrong;
  }
  return ids;
}

/// Any grid must do for any N: too few blocks, an odd number, and more than have work.
void runBlockCounts(Bench& bench, Tally& tally) {
  constexpr std::uint64_t kSizes[] = {1, 31, 33, 1024, 1U << 16U, (1U << 20U) + 1};
  const auto run = [&](BenchRequest request, const char* name) {
    tally.blocks = name;
    request.strategies = blockTakers(request, tally);
    if (!request.strategies.empty()) runOne(bench, request, tally);
  };
  for (const Scope scope : {Scope::Kernel, Scope::Full}) {
    for (const ElementType type : kTypes) {
      for (const std::uint32_t block : {32U, 256U, 1024U}) {
        for (const std::uint64_t n : kSizes) {
          BenchRequest request{.n = n, .block = block, .scope = scope, .type = type, .blocks = 1};
          run(request, "1");
          request.blocks = 3;
          run(request, "3");
          request.blocks = 2 * (n / block) + 5;
          run(request, "idle");
        }
      }
    }
  }
  tally.blocks = "own";
}

/// The largest grids that the rules allow, where 32-bit indices just hold, and one block with a long way to
/// go; each strategy by itself.
void runGridsAtTheirEnds(Bench& bench, Tally& tally) {
  const bool hasRoom = bench.hello().memoryBytes > (std::uint64_t{40} << 30U);
  for (const Strategy& strategy : strategies()) {
    if (!strategy.takesBlocks()) continue;
    BenchRequest request;
    request.scope = strategy.reducesToOne() ? Scope::Full : Scope::Kernel;
    request.strategies = {std::string(strategy.id)};
    const auto run = [&](std::uint64_t n, std::uint32_t block, std::uint64_t blocks, const char* name) {
      request.n = n;
      request.block = block;
      request.blocks = blocks;
      tally.blocks = name;
      runOne(bench, request, tally);
    };
    run(1024, 256, countMostBlocks(strategy, 1024, 256), "most");
    run(1U << 24U, 1024, 1, "1");
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 31U;
    if (hasRoom) run(kLargest, 1024, countMostBlocks(strategy, kLargest, 1024), "most");
  }
  tally.blocks = "own";
}

/// The checks that count on the GPU must find fault with what is wrong: one element of a right Julia set.
bool juliaCheckSeesOnePoint() {
  constexpr std::uint64_t kSide = 256;
  std::vector<float> picture(kSide * kSide);
  for (std::uint64_t i = 0; i < picture.size(); ++i)
    picture[i] = static_cast<float>(expectedIterations(i, kSide, kSide));
  DeviceBuffer out(picture.size() * sizeof(float));
  DeviceBuffer counter(sizeof(unsigned long long));
  const auto count = [&] {
    unsigned long long wrong = 0;
    check(cudaMemcpy(out.data(), picture.data(), out.bytes(), cudaMemcpyHostToDevice), "take a picture");
    check(cudaMemset(counter.data(), 0, counter.bytes()), "clear a counter");
    check(launchCountWrongIterations(static_cast<const float*>(out.data()), kSide, kSide,
                                     static_cast<unsigned long long*>(counter.data()), nullptr),
          "count what is wrong");
    check(cudaMemcpy(&wrong, counter.data(), sizeof wrong, cudaMemcpyDeviceToHost), "hand over a count");
    return wrong;
  };
  const unsigned long long before = count();
  picture[kSide * 100 + 77] += 1;
  const unsigned long long after = count();
  if (before == 0 && after == 1) return true;
  std::printf("the host's Julia set has %llu wrong points for the GPU, and %llu after one was changed\n",
              before, after);
  return false;
}

/// The last index that 32 bits hold.
void runLargest(Bench& bench, Tally& tally) {
  if (bench.hello().memoryBytes < (std::uint64_t{24} << 30U)) return;
  for (const Scope scope : {Scope::Kernel, Scope::Full}) {
    BenchRequest request{.n = std::uint64_t{1} << 31U, .block = 1024, .scope = scope};
    runOne(bench, request, tally);
  }
  BenchRequest request{.strategies = {"julia-set"}, .n = std::uint64_t{1} << 31U};
  runOne(bench, request, tally);
}

void print(const Tally& tally) {
  std::printf("%-26s %-7s %-7s %-6s %6s %6s\n", "contender", "scope", "element", "blocks", "right", "wrong");
  for (const auto& [key, counts] : tally.rows) {
    const auto& [id, scope, type, blocks] = key;
    std::printf("%-26s %-7s %-7s %-6s %6d %6d%s\n", id.c_str(), scope.c_str(), type.c_str(), blocks.c_str(),
                counts.first, counts.second, isBroken(id) ? "  (wrong by design)" : "");
  }
}

/// A cancelled run ends with `done`, and without results.
bool cancelWorks(Bench& bench) {
  BenchRequest request{.run = 2};
  int samples = 0;
  bool cancelled = false;
  const auto receive = [&](const WorkerMessage& message) {
    if (std::holds_alternative<SampleMessage>(message)) ++samples;
    if (const auto* done = std::get_if<DoneMessage>(&message)) cancelled = done->cancelled;
    return true;
  };
  bench.run(request, receive, [&] { return samples >= 3; });
  return cancelled && samples == 3;
}

/// A size that no GPU holds is refused in a sentence and leaves the GPU usable.
bool tooMuchMemoryIsRefused(Bench& bench) {
  if (bench.hello().memoryBytes > (std::uint64_t{9} << 30U)) return true;  // 2^31 floats would fit
  BenchRequest request{.run = 3, .n = std::uint64_t{1} << 31U};
  bool refused = false;
  const auto receive = [&](const WorkerMessage& message) {
    refused = refused || std::holds_alternative<ErrorMessage>(message);
    return true;
  };
  return bench.run(request, receive, [] { return false; }) && refused;
}

int testAll() {
  auto bench = Bench::open();
  if (!bench) {
    std::printf("skipped: %s\n", bench.error().sentence().c_str());
    return kSkipped;
  }
  Tally tally;
  runReductions(bench.value(), tally);
  runOthers(bench.value(), tally);
  runLargest(bench.value(), tally);
  runBlockCounts(bench.value(), tally);
  runGridsAtTheirEnds(bench.value(), tally);
  tally.wrong += runOperators();
  tally.wrong += juliaCheckSeesOnePoint() ? 0 : 1;
  if (!cancelWorks(bench.value()) || !tooMuchMemoryIsRefused(bench.value())) {
    std::printf("a cancelled or refused run did not end as it should\n");
    ++tally.wrong;
  }
  print(tally);
  int right = 0;
  for (const auto& [key, counts] : tally.rows) right += counts.first;
  std::printf("%s, driver %s, %s: %d results right, %d not as they should be\n", bench->hello().gpu.c_str(),
              bench->hello().driver.c_str(), bench->hello().date.c_str(), right, tally.wrong);
  return tally.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lanescope

int main() { return lanescope::testAll(); }
