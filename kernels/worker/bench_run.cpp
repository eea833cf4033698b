#include "kernels/worker/bench_run.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "kernels/worker/bench_rules.h"
#include "kernels/worker/statistics.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {

std::uint64_t BenchRun::bytesNeeded(const BenchRequest& request,
                                    const std::vector<const Strategy*>& strategies) {
  std::uint64_t floats = request.n;
  for (const Strategy* strategy : strategies)
    floats += request.n / elementsPerBlock(*strategy, request.block);
  return floats * sizeof(float);
}

BenchRun::BenchRun(const BenchRequest& request, const std::vector<const Strategy*>& strategies,
                   Stopwatch& stopwatch, const Bench::Emit& emit, const Bench::Cancelled& cancelled)
    : request_(request),
      stopwatch_(stopwatch),
      emit_(emit),
      cancelled_(cancelled),
      in_(request.n * sizeof(float)) {
  check(launchFill(in_.floats(), request.n, stopwatch_.stream().get()), "fill its memory");
  prepareCases(strategies);
}

void BenchRun::prepareCases(const std::vector<const Strategy*>& strategies) {
  for (const Strategy* strategy : strategies) {
    Case item;
    item.strategy = strategy;
    item.kernel = strategyKernel(std::string(strategy->kernel).c_str());
    item.out = DeviceBuffer(request_.n / elementsPerBlock(*strategy, request_.block) * sizeof(float));
    cases_.push_back(std::move(item));
  }
}

void BenchRun::launch(const Case& item, const Stream& stream) const {
  const float* in = in_.floats();
  float* out = item.out.floats();
  std::array<void*, 2> arguments{static_cast<void*>(&in), static_cast<void*>(&out)};
  const auto grid = static_cast<unsigned int>(item.out.bytes() / sizeof(float));
  check(cudaLaunchKernel(item.kernel, dim3(grid), dim3(request_.block), arguments.data(),
                         item.strategy->sharedBytes(request_.block, kWarpThreads), stream.get()),
        "launch '" + std::string(item.strategy->id) + "'");
}

/// All bits set is a NaN: a block sum that a launch leaves unwritten is never taken for right.
void BenchRun::poison(const Case& item, const Stream& stream) const {
  check(cudaMemsetAsync(item.out.data(), 0xff, item.out.bytes(), stream.get()), "clear its results");
}

SumCheck BenchRun::checkSums(const Case& item) const {
  std::vector<float> sums(item.out.bytes() / sizeof(float));
  const Stream& stream = stopwatch_.stream();
  check(cudaMemcpyAsync(sums.data(), item.out.data(), item.out.bytes(), cudaMemcpyDeviceToHost, stream.get()),
        "hand over its results");
  stream.wait("finish '" + std::string(item.strategy->id) + "'");
  return checkBlockSums(sums, elementsPerBlock(*item.strategy, request_.block));
}

bool BenchRun::run() {
  // First verify, which also loads every kernel: see Stopwatch. A wrong kernel is not timed.
  for (Case& item : cases_) {
    if (cancelled_()) return false;
    poison(item, stopwatch_.stream());
    launch(item, stopwatch_.stream());
    item.check = checkSums(item);
  }
  stopwatch_.warmUp(30);
  if (request_.cold && !sampleSeries(CacheState::Cold)) return false;
  return !request_.warm || sampleSeries(CacheState::Warm);
}

bool BenchRun::seriesDone(double secondsSoFar) const {
  const StoppingRule rule{std::min<std::size_t>(10, request_.maxSamples), request_.maxSamples};
  const bool longEnough = secondsSoFar >= request_.minSeconds;
  return std::all_of(cases_.begin(), cases_.end(), [&](const Case& item) {
    if (!item.check.verified() || item.samples.size() >= rule.maxSamples) return true;
    return longEnough && enoughSamples(item.samples, rule);
  });
}

/// One sample of each strategy in turn, so that a drift of clocks or temperature hits all alike; all
/// go on until the noisiest has enough.
bool BenchRun::sampleSeries(CacheState cache) {
  for (Case& item : cases_) item.samples.clear();
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  while (!seriesDone(seconds())) {
    if (!sampleRound(cache)) return false;
  }
  for (Case& item : cases_) {
    // The sums of the last sample, which started (when cold) from poisoned results.
    if (item.check.verified()) item.check = checkSums(item);
    if (!report(item, cache)) return false;
  }
  return true;
}

bool BenchRun::sampleRound(CacheState cache) {
  for (Case& item : cases_) {
    if (!item.check.verified()) continue;
    if (cancelled_()) return false;
    const double us = stopwatch_.time(
        cache, [&](const Stream& stream) { launch(item, stream); },
        [&](const Stream& stream) { poison(item, stream); });
    item.samples.push_back(us);
    ++samplesDone_;
    const auto index = static_cast<std::uint32_t>(item.samples.size() - 1);
    const SeriesKey series{std::string(item.strategy->id), request_.n, request_.block, cache};
    if (!emit_(SampleMessage{request_.run, series, index, us})) return false;
  }
  const std::uint64_t seriesCount = cases_.size() * (request_.cold && request_.warm ? 2U : 1U);
  return emit_(ProgressMessage{request_.run, samplesDone_, seriesCount * request_.maxSamples});
}

bool BenchRun::report(const Case& item, CacheState cache) {
  ResultMessage result;
  result.run = request_.run;
  result.series = {std::string(item.strategy->id), request_.n, request_.block, cache};
  result.grid = item.out.bytes() / sizeof(float);
  result.sharedBytes = item.strategy->sharedBytes(request_.block, kWarpThreads);
  result.verified = item.check.verified();
  result.expected = item.check.expected;
  result.got = item.check.got;
  result.wrongBlocks = item.check.wrongBlocks;
  result.bytes = bytesMoved(*item.strategy, request_.n, request_.block);
  if (result.verified) {
    const Summary summary = summarise(item.samples);
    result.medianUs = summary.quartiles.median;
    result.q1Us = summary.quartiles.q1;
    result.q3Us = summary.quartiles.q3;
    result.samples = static_cast<std::uint32_t>(summary.used);
    result.discarded = static_cast<std::uint32_t>(summary.discarded);
    result.gbps = gigabytesPerSecond(result.bytes, result.medianUs);
  }
  return emit_(result);
}

}  // namespace lanescope
