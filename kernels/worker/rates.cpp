#include "kernels/worker/rates.h"

#include <string>

#include "kernels/protocol/bench_rules.h"
#include "kernels/worker/cuda_call.h"
#include "kernels/worker/device.h"
#include "kernels/worker/rate_kernels.h"
#include "kernels/worker/worker_kernels.h"

namespace lanescope {
namespace {

constexpr int kSamples = 15;
constexpr std::uint64_t kSectorBytes = 32;
constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

/// The best of several ways to keep a unit busy.
class BestRate {
 public:
  BestRate(Stopwatch& stopwatch, RateUnit unit, double launchUs)
      : stopwatch_(stopwatch), sink_(sizeof(float)) {
    best_.unit = unit;
    best_.launchUs = launchUs;
    best_.samples = kSamples;
  }

  /// The place to which a kernel could write its input; none does.
  float* sink() const { return sink_.floats(); }

  /// Times a launch that does `amount` of the unit's work; `how` is one sentence.
  void consider(CacheState cache, std::uint64_t amount, const std::string& how,
                const Stopwatch::Launch& launch) {
    launch(stopwatch_.stream());  // loads the kernel: stopwatch.h
    stopwatch_.stream().wait("measure its rates");
    const double us = stopwatch_.median(cache, kSamples, launch);
    const double busy = us - best_.launchUs;
    if (busy <= 0 || static_cast<double>(amount) / busy <= best_.perUs) return;
    best_.amount = amount;
    best_.us = us;
    best_.perUs = static_cast<double>(amount) / busy;
    best_.how =
        "Median of " + std::to_string(kSamples) + " launches, less the time of an empty kernel: " + how;
  }

  const RateMessage& message() const { return best_; }

 private:
  Stopwatch& stopwatch_;
  DeviceBuffer sink_;
  RateMessage best_;
};

std::string gridText(unsigned int blocks) {
  return std::to_string(blocks) + " blocks of " + std::to_string(kRateThreads) + " threads";
}

/// As many blocks as all SMs hold at once.
unsigned int fullGrid(std::uint32_t sms) {
  int threads = 0;
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0),
        "say how much fits an SM");
  return sms * static_cast<unsigned int>(threads) / kRateThreads;
}

DeviceBuffer filled(std::size_t bytes, const Stopwatch& stopwatch) {
  DeviceBuffer buffer(bytes);
  check(launchFill(ElementType::Float, buffer.data(), bytes / sizeof(float), 0, stopwatch.stream().get()),
        "fill its memory");
  stopwatch.stream().wait("fill its memory");
  return buffer;
}

RateMessage launchRate(Stopwatch& stopwatch) {
  const auto empty = [](const Stream& s) { check(launchEmpty(s.get()), "run an empty kernel"); };
  empty(stopwatch.stream());
  stopwatch.stream().wait("run an empty kernel");
  RateMessage rate;
  rate.unit = RateUnit::Launch;
  rate.us = stopwatch.median(CacheState::Cold, kSamples, empty);
  rate.samples = kSamples;
  rate.how =
      "Median of " + std::to_string(kSamples) + " launches of an empty kernel, L2 flushed before each.";
  return rate;
}

RateMessage dramRate(Stopwatch& stopwatch, std::uint32_t sms, double launchUs) {
  constexpr std::size_t kLargest = std::size_t{16} << 30U;
  std::size_t bytes = kLargest;
  while (bytes > freeDeviceMemory() / 2 && bytes > stopwatch.flushBytes()) bytes /= 2;
  const DeviceBuffer buffer = filled(bytes, stopwatch);
  BestRate best(stopwatch, RateUnit::Dram, launchUs);
  for (std::size_t part = bytes; part >= bytes / 4 && part >= stopwatch.flushBytes(); part /= 2) {
    for (const unsigned int blocksPerSm : {4U, 8U, 16U, 32U, 64U, 256U}) {
      const unsigned int blocks = sms * blocksPerSm;
      best.consider(CacheState::Cold, part / kSectorBytes,
                    "a read of " + bytesText(part) + " with 16-byte loads by " + gridText(blocks) +
                        ", L2 flushed before each.",
                    [&](const Stream& s) {
                      check(launchRead(buffer.floats(), part / sizeof(float), blocks, best.sink(), s.get()),
                            "read its memory");
                    });
    }
  }
  return best.message();
}

RateMessage l2Rate(Stopwatch& stopwatch, const HelloMessage& gpu, double launchUs) {
  constexpr std::uint64_t kWanted = std::uint64_t{8} << 30U;  // bytes of one launch
  BestRate best(stopwatch, RateUnit::L2, launchUs);
  for (const std::size_t bytes :
       {2 * kMegabyte, 4 * kMegabyte, 8 * kMegabyte, 16 * kMegabyte, 24 * kMegabyte}) {
    if (bytes > gpu.l2Bytes / 2) break;
    const DeviceBuffer buffer = filled(bytes, stopwatch);
    const auto repeats = static_cast<unsigned int>(kWanted / bytes);
    for (const unsigned int blocksPerSm : {1U, 2U, 4U, 8U}) {
      const unsigned int blocks = gpu.sms * blocksPerSm;
      best.consider(CacheState::Warm, repeats * (bytes / kSectorBytes),
                    std::to_string(repeats) + " reads of the same " + bytesText(bytes) +
                        " with 16-byte loads that L1 does not keep, by " + gridText(blocks) + ".",
                    [&](const Stream& s) {
                      check(launchL2Read(buffer.floats(), bytes, repeats, blocks, best.sink(), s.get()),
                            "read its L2 cache");
                    });
    }
  }
  return best.message();
}

RateMessage sharedRate(Stopwatch& stopwatch, std::uint32_t sms, double launchUs) {
  constexpr unsigned int kRepeats = 512;
  const unsigned int blocks = fullGrid(sms);
  const std::uint64_t warps = std::uint64_t{blocks} * kRateThreads / kWarpThreads;
  BestRate best(stopwatch, RateUnit::Shared, launchUs);
  for (const bool wide : {false, true}) {
    best.consider(CacheState::Warm, warps * kRepeats * kSharedWavefronts,
                  std::string("loads from shared memory without bank conflicts, ") + (wide ? "16" : "4") +
                      " bytes per thread, by " + gridText(blocks) + ".",
                  [&](const Stream& s) {
                    check(launchSharedRead(wide, kRepeats, blocks, best.sink(), s.get()),
                          "read its shared memory");
                  });
  }
  return best.message();
}

RateMessage issueRate(Stopwatch& stopwatch, std::uint32_t sms, double launchUs) {
  constexpr unsigned int kPerWarp = 1U << 17U;
  const unsigned int blocks = fullGrid(sms);
  const std::uint64_t warps = std::uint64_t{blocks} * kRateThreads / kWarpThreads;
  BestRate best(stopwatch, RateUnit::Issue, launchUs);
  for (const unsigned int unroll : {64U, 128U, 256U, 512U}) {
    best.consider(CacheState::Warm, warps * kPerWarp,
                  "additions of floats in 8 independent chains, " + std::to_string(unroll) +
                      " per iteration, the loop's own instructions not counted, by " + gridText(blocks) + ".",
                  [&](const Stream& s) {
                    check(launchIssue(unroll, kPerWarp / unroll, blocks, best.sink(), s.get()),
                          "issue instructions");
                  });
  }
  return best.message();
}

}  // namespace

void measureRates(Stopwatch& stopwatch, const HelloMessage& gpu,
                  const std::function<bool(const RateMessage&)>& emit) {
  stopwatch.warmUp(200);
  const RateMessage launch = launchRate(stopwatch);
  if (!emit(launch)) return;
  if (!emit(dramRate(stopwatch, gpu.sms, launch.us))) return;
  if (!emit(l2Rate(stopwatch, gpu, launch.us))) return;
  if (!emit(sharedRate(stopwatch, gpu.sms, launch.us))) return;
  emit(issueRate(stopwatch, gpu.sms, launch.us));
}

}  // namespace lanescope
