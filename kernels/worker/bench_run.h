#pragma once

#include <vector>

#include "kernels/strategies/catalogue.h"
#include "kernels/worker/bench.h"
#include "kernels/worker/block_sums.h"
#include "kernels/worker/stopwatch.h"

namespace lanescope {

/// One run of the benchmark over one N and one block size. Throws CudaFailure.
class BenchRun {
 public:
  BenchRun(const BenchRequest& request, const std::vector<const Strategy*>& strategies, Stopwatch& stopwatch,
           const Bench::Emit& emit, const Bench::Cancelled& cancelled);

  /// Device memory that the run takes, in bytes.
  static std::uint64_t bytesNeeded(const BenchRequest& request,
                                   const std::vector<const Strategy*>& strategies);

  /// Verifies, samples and reports; returns whether it went to its end.
  bool run();

 private:
  /// One strategy on its way through the run.
  struct Case {
    const Strategy* strategy = nullptr;
    const void* kernel = nullptr;
    DeviceBuffer out;
    SumCheck check;
    std::vector<double> samples;  ///< microseconds, of the series under way
  };

  void prepareCases(const std::vector<const Strategy*>& strategies);
  void launch(const Case& item, const Stream& stream) const;
  void poison(const Case& item, const Stream& stream) const;
  SumCheck checkSums(const Case& item) const;
  bool sampleSeries(CacheState cache);
  bool sampleRound(CacheState cache);
  bool report(const Case& item, CacheState cache);
  bool seriesDone(double secondsSoFar) const;

  const BenchRequest& request_;
  Stopwatch& stopwatch_;
  const Bench::Emit& emit_;
  const Bench::Cancelled& cancelled_;
  DeviceBuffer in_;
  std::vector<Case> cases_;
  std::uint64_t samplesDone_ = 0;
};

}  // namespace lanescope
