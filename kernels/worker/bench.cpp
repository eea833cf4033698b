#include "kernels/worker/bench.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "kernels/protocol/bench_rules.h"
#include "kernels/worker/bench_case.h"
#include "kernels/worker/device.h"
#include "kernels/worker/edited_kernel.h"
#include "kernels/worker/loaded_kernel.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {

/// One run of the benchmark over one N and one block size. Throws CudaFailure.
class BenchRun {
 public:
  /// `sms`: the GPU's multiprocessors.
  BenchRun(const BenchRequest& request, const std::vector<Contender>& contenders, std::uint32_t sms,
           Stopwatch& stopwatch, const Bench::Emit& emit, const Bench::Cancelled& cancelled);

  /// Device memory that the run takes, in bytes.
  static std::uint64_t bytesNeeded(const BenchRequest& request, const std::vector<Contender>& contenders,
                                   std::uint32_t sms);

  /// Verifies, samples and reports; returns true if the run was completed.
  bool run();

 private:
  /// The state of one contender in the run.
  struct Entry {
    std::string id;
    std::uint32_t block = 0;   ///< threads
    std::uint64_t blocks = 0;  ///< requested number
    std::unique_ptr<BenchCase> work;
    SumCheck check;
    std::vector<double> samples;  ///< microseconds, of the current series
  };

  void verify(Entry& entry) const;
  SeriesKey makeKey(const Entry& entry, CacheState cache) const;
  bool sampleSeries(CacheState cache);
  bool sampleRound(CacheState cache);
  bool report(const Entry& entry, CacheState cache);
  bool seriesDone(double secondsSoFar) const;

  const BenchRequest& request_;
  Stopwatch& stopwatch_;
  const Bench::Emit& emit_;
  const Bench::Cancelled& cancelled_;
  BenchInputs inputs_;
  std::vector<Entry> entries_;
  std::uint64_t samplesDone_ = 0;
};

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

struct Bench::State {
  HelloMessage hello;
  Stopwatch stopwatch;
  std::optional<CeilingMessage> ceiling;

  explicit State(HelloMessage device) : hello(std::move(device)), stopwatch(hello.l2Bytes) {}

  bool measure(const BenchRequest& request, const std::vector<Contender>& chosen, const Emit& emit,
               const Cancelled& cancelled);
  std::optional<Error> problem(const BenchRequest& request, const std::vector<Contender>& chosen) const;
};

std::optional<Error> Bench::State::problem(const BenchRequest& request,
                                           const std::vector<Contender>& chosen) const {
  const std::uint64_t needed = BenchRun::bytesNeeded(request, chosen, hello.sms);
  const std::uint64_t free = freeDeviceMemory();
  if (needed <= free) return std::nullopt;
  return Error{"N = " + sizeText(request.n) + " needs " + bytesText(needed) + " of GPU memory and " +
                   bytesText(free) + " are free.",
               request.blocks == 0 ? "Choose a smaller N." : "Choose a smaller N or fewer blocks."};
}

/// Returns true if the run was completed. Throws CudaFailure.
bool Bench::State::measure(const BenchRequest& request, const std::vector<Contender>& chosen,
                           const Emit& emit, const Cancelled& cancelled) {
  stopwatch.warmUp(ceiling ? 30 : 200);
  if (!ceiling) {
    ceiling = measureCeiling(stopwatch, hello.sms);
    if (!emit(*ceiling)) return false;
  }
  return BenchRun(request, chosen, hello.sms, stopwatch, emit, cancelled).run();
}

Bench::Bench(std::unique_ptr<State> state) : state_(std::move(state)) {}
Bench::Bench(Bench&&) noexcept = default;
Bench& Bench::operator=(Bench&&) noexcept = default;
Bench::~Bench() = default;

Result<Bench> Bench::open() {
  try {
    return Bench(std::make_unique<State>(describeDevice()));
  } catch (const std::exception& failure) {
    return Error{failure.what()};
  }
}

const HelloMessage& Bench::hello() const { return state_->hello; }

bool Bench::run(const BenchRequest& request, const Emit& emit, const Cancelled& cancelled) {
  return runChosen(request, makeContenders(request), emit, cancelled);
}

bool Bench::run(const ExperimentRequest& request, const Emit& emit, const Cancelled& cancelled) {
  const auto bench = makeBench(request);
  const auto missing =
      bench ? compilerProblem(request.run) : ErrorMessage{request.run, bench.error().sentence()};
  if (missing) {
    emit(*missing);
    emit(DoneMessage{request.run, false});
    return true;
  }
  return runChosen(*bench, makeContenders(*findExperiment(request.experiment), *bench), emit, cancelled);
}

bool Bench::measureRates(const Emit& emit) {
  try {
    lanescope::measureRates(state_->stopwatch, state_->hello, emit);
    return true;
  } catch (const std::exception& failure) {
    emit(ErrorMessage{std::nullopt, failure.what()});
    return false;
  }
}

bool Bench::runChosen(const BenchRequest& request, const Result<std::vector<Contender>>& chosen,
                      const Emit& emit, const Cancelled& cancelled) {
  bool usable = true;
  bool finished = false;
  std::optional<std::string> sentence;
  try {
    const std::optional<Error> problem = chosen ? state_->problem(request, *chosen) : chosen.error();
    if (problem) {
      sentence = problem->sentence();
    } else if (!cancelled()) {
      finished = state_->measure(request, *chosen, emit, cancelled);
    }
  } catch (const CudaFailure& failure) {
    sentence = failure.what();
    usable = !failure.fatal();
  } catch (const TextFailure& failure) {
    sentence = failure.what();
  } catch (const std::bad_alloc&) {
    sentence = "The worker's machine has too little memory for N = " + sizeText(request.n) + ".";
  } catch (const std::exception& failure) {
    sentence = "The worker could not continue: " + std::string(failure.what()) + ".";
    usable = false;
  }
  if (sentence) emit(ErrorMessage{request.run, *sentence});
  emit(DoneMessage{request.run, !finished && !sentence, !usable});
  return usable;
}

}  // namespace lanescope
