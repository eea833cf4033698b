#include "kernels/worker/bench_run.h"

#include <algorithm>
#include <chrono>

#include "kernels/protocol/statistics.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {

std::uint64_t BenchRun::bytesNeeded(const BenchRequest& request, const std::vector<Contender>& contenders,
                                    std::uint32_t sms) {
  std::uint64_t bytes = request.n * elementBytes(request.type);
  if (std::ranges::any_of(contenders, needsSecondInput)) bytes *= 2;
  for (const Contender& contender : contenders) bytes += caseBytes(contender, request, sms);
  return bytes;
}

BenchRun::BenchRun(const BenchRequest& request, const std::vector<Contender>& contenders, std::uint32_t sms,
                   Stopwatch& stopwatch, const Bench::Emit& emit, const Bench::Cancelled& cancelled)
    : request_(request), stopwatch_(stopwatch), emit_(emit), cancelled_(cancelled) {
  const cudaStream_t stream = stopwatch_.stream().get();
  inputs_.in = DeviceBuffer(request.n * elementBytes(request.type));
  check(launchFill(request.type, inputs_.in.data(), request.n, 0, stream), "fill its memory");
  if (std::ranges::any_of(contenders, needsSecondInput)) {
    inputs_.b = DeviceBuffer(inputs_.in.bytes());
    check(launchFill(request.type, inputs_.b.data(), request.n, kSecondInput, stream), "fill its memory");
  }
  for (const Contender& contender : contenders) {
    const std::uint32_t block = contender.variant == nullptr ? request.block : contender.variant->block;
    entries_.push_back(
        {contender.id, block, contender.blocks, makeCase(contender, request, inputs_, sms), {}, {}});
  }
}

void BenchRun::verify(Entry& entry) const {
  const Stream& stream = stopwatch_.stream();
  entry.work->reset(stream);
  entry.work->launch(stream);
  stream.wait("finish '" + entry.id + "'");
  entry.check = entry.work->check(stream);
}

bool BenchRun::run() {
  // First verify, which also loads every kernel: see Stopwatch. A wrong kernel is not timed.
  for (Entry& entry : entries_) {
    if (cancelled_()) return false;
    verify(entry);
  }
  stopwatch_.warmUp(30);
  if (request_.cold && !sampleSeries(CacheState::Cold)) return false;
  return !request_.warm || sampleSeries(CacheState::Warm);
}

bool BenchRun::seriesDone(double secondsSoFar) const {
  const StoppingRule rule{std::min<std::size_t>(10, request_.maxSamples), request_.maxSamples};
  const bool longEnough = secondsSoFar >= request_.minSeconds;
  return std::ranges::all_of(entries_, [&](const Entry& entry) {
    if (!entry.check.verified() || entry.samples.size() >= rule.maxSamples) return true;
    return longEnough && enoughSamples(entry.samples, rule);
  });
}

/// Takes one sample of each strategy in turn, so that a drift of clocks or temperature affects all alike; all
/// continue until the noisiest has enough.
bool BenchRun::sampleSeries(CacheState cache) {
  for (Entry& entry : entries_) entry.samples.clear();
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  while (!seriesDone(seconds())) {
    if (!sampleRound(cache)) return false;
  }
  for (Entry& entry : entries_) {
    if (entry.check.verified()) verify(entry);
    if (!report(entry, cache)) return false;
  }
  return true;
}

bool BenchRun::sampleRound(CacheState cache) {
  for (Entry& entry : entries_) {
    if (!entry.check.verified()) continue;
    if (cancelled_()) return false;
    const std::optional<double> onHost = entry.work->timeOnHost(stopwatch_.stream());
    const double us = onHost ? *onHost
                             : stopwatch_.time(
                                   cache, [&](const Stream& stream) { entry.work->launch(stream); },
                                   [&](const Stream& stream) { entry.work->reset(stream); });
    entry.samples.push_back(us);
    ++samplesDone_;
    const auto index = static_cast<std::uint32_t>(entry.samples.size() - 1);
    if (!emit_(SampleMessage{request_.run, makeKey(entry, cache), index, us})) return false;
  }
  const std::uint64_t seriesCount = entries_.size() * (request_.cold && request_.warm ? 2U : 1U);
  return emit_(ProgressMessage{request_.run, samplesDone_, seriesCount * request_.maxSamples});
}

SeriesKey BenchRun::makeKey(const Entry& entry, CacheState cache) const {
  return {entry.id, request_.n, entry.block, cache, request_.scope, request_.type, entry.blocks};
}

bool BenchRun::report(const Entry& entry, CacheState cache) {
  const BenchFacts& facts = entry.work->facts();
  ResultMessage result;
  result.run = request_.run;
  result.series = makeKey(entry, cache);
  result.grid = facts.grid;
  result.elementsPerThread = facts.elementsPerThread;
  result.launches = facts.launches;
  result.registers = facts.registers;
  result.residentBlocks = facts.residentBlocks;
  result.sharedBytes = facts.sharedBytes;
  result.verified = entry.check.verified();
  result.expected = entry.check.expected;
  result.got = entry.check.got;
  result.wrongBlocks = entry.check.wrongBlocks;
  result.bytes = facts.bytes;
  if (result.verified) {
    const Summary summary = summarise(entry.samples);
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
