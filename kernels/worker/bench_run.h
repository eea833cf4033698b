#pragma once

#include <vector>

#include "kernels/worker/bench.h"
#include "kernels/worker/bench_case.h"
#include "kernels/worker/stopwatch.h"

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

}  // namespace lanescope
