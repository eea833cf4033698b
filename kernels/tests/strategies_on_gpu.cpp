// Runs every strategy on the GPU over block sizes and sizes of N, and compares every block sum with a
// double-precision one. Ends with 77, which ctest counts as skipped, where there is no GPU.

#include <cstdio>
#include <string>
#include <vector>

#include "kernels/worker/bench.h"
#include "kernels/worker/bench_rules.h"

namespace lanescope {
namespace {

constexpr int kSkipped = 77;

struct Tally {
  int right = 0;
  int wrong = 0;
};

/// Counts a run's results; every strategy must have given one.
void runOne(Bench& bench, std::uint64_t n, std::uint32_t block, Tally& tally) {
  BenchRequest request;
  request.run = 1;
  request.n = n;
  request.block = block;
  request.warm = true;
  request.maxSamples = 2;
  std::size_t results = 0;
  const auto take = [&](const WorkerMessage& message) {
    if (const auto* result = std::get_if<ResultMessage>(&message)) {
      ++results;
      ++(result->verified ? tally.right : tally.wrong);
      if (!result->verified) {
        std::printf("wrong: %s, N = %s, block %u: %llu of %llu block sums, total %.17g, expected %.17g\n",
                    result->series.strategy.c_str(), sizeText(n).c_str(), block,
                    static_cast<unsigned long long>(result->wrongBlocks),
                    static_cast<unsigned long long>(result->grid), result->got, result->expected);
      }
    } else if (const auto* error = std::get_if<ErrorMessage>(&message)) {
      std::printf("error: N = %s, block %u: %s\n", sizeText(n).c_str(), block, error->sentence.c_str());
    }
    return true;
  };
  bench.run(request, take, [] { return false; });
  const auto contenders = contendersOf(request);
  const std::size_t expected = contenders ? 2 * contenders->size() : 0;
  if (results != expected) {
    std::printf("N = %s, block %u: %zu results, not %zu\n", sizeText(n).c_str(), block, results, expected);
    ++tally.wrong;
  }
}

/// A cancelled run ends with `done`, and without results.
bool cancelWorks(Bench& bench) {
  BenchRequest request;
  request.run = 2;
  int samples = 0;
  bool cancelled = false;
  const auto take = [&](const WorkerMessage& message) {
    if (std::holds_alternative<SampleMessage>(message)) ++samples;
    if (const auto* done = std::get_if<DoneMessage>(&message)) cancelled = done->cancelled;
    return true;
  };
  bench.run(request, take, [&] { return samples >= 3; });
  return cancelled && samples == 3;
}

/// A size that no GPU holds is refused in a sentence and leaves the GPU usable.
bool tooMuchMemoryIsRefused(Bench& bench) {
  if (bench.hello().memoryBytes > (std::uint64_t{9} << 30U)) return true;  // 2^31 floats would fit
  BenchRequest request;
  request.run = 3;
  request.n = std::uint64_t{1} << 31U;
  bool refused = false;
  const auto take = [&](const WorkerMessage& message) {
    refused = refused || std::holds_alternative<ErrorMessage>(message);
    return true;
  };
  return bench.run(request, take, [] { return false; }) && refused;
}

int testAll() {
  auto bench = Bench::open();
  if (!bench) {
    std::printf("skipped: %s\n", bench.error().sentence().c_str());
    return kSkipped;
  }
  Tally tally;
  for (std::uint32_t block = kMinBenchBlock; block <= kMaxBenchBlock; block *= 2) {
    for (const std::uint64_t n : {std::uint64_t{2048}, std::uint64_t{2048} * 3, std::uint64_t{1} << 16U,
                                  std::uint64_t{2048} * 1021, std::uint64_t{1} << 24U}) {
      runOne(bench.value(), n, block, tally);
    }
  }
  if (bench->hello().memoryBytes > (std::uint64_t{12} << 30U)) {
    runOne(bench.value(), std::uint64_t{1} << 31U, 32, tally);  // the last index that 32 bits hold
  }
  if (!cancelWorks(bench.value()) || !tooMuchMemoryIsRefused(bench.value())) {
    std::printf("a cancelled or refused run did not end as it should\n");
    ++tally.wrong;
  }
  std::printf("%s: %d results right, %d wrong\n", bench->hello().gpu.c_str(), tally.right, tally.wrong);
  return tally.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lanescope

int main() { return lanescope::testAll(); }
