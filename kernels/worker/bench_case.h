#pragma once

#include <memory>
#include <optional>

#include "kernels/worker/bench_rules.h"
#include "kernels/worker/cuda_call.h"
#include "kernels/worker/expected_sums.h"

namespace lanescope {

/// What the cases of a run read: n elements each, of the request's type.
struct BenchInputs {
  DeviceBuffer in;  ///< inputElement(i)
  DeviceBuffer b;   ///< inputElement(i + kSecondInput); empty where nobody reads it
};

inline constexpr std::uint64_t kSecondInput = 12345;

/// What a result says of the work.
struct BenchFacts {
  std::uint64_t grid = 0;      ///< blocks of the first launch; 0 where unknown
  std::uint64_t launches = 0;  ///< kernels and memsets; 0 where unknown
  std::uint64_t sharedBytes = 0;
  std::uint64_t bytes = 0;           ///< that the work must move
  double elementsPerThread = 0;      ///< of the first launch, on average; 0 where unknown
  std::uint32_t registers = 0;       ///< per thread, of an experiment's kernel; 0 where unknown
  std::uint32_t residentBlocks = 0;  ///< per SM at most, of an experiment's kernel; 0 where unknown
};

/// One contender's work, ready to be done again and again over the same input. Every function throws
/// CudaFailure.
class BenchCase {
 public:
  virtual ~BenchCase() = default;

  /// Queues what is timed.
  virtual void launch(const Stream& stream) = 0;
  /// Queues what must come before and is not timed: makes every earlier result unusable, so that one that
  /// a launch leaves unwritten is never taken for right.
  virtual void reset(const Stream& stream) = 0;
  /// Work of the host: does it once and gives its microseconds by the host's clock. Nothing: launch() is
  /// timed by the GPU's events.
  virtual std::optional<double> timeOnHost(const Stream& /*stream*/) { return std::nullopt; }
  /// Compares the results with the host's; waits.
  virtual SumCheck check(const Stream& stream) = 0;

  const BenchFacts& facts() const { return facts_; }

 protected:
  BenchFacts facts_;
};

/// Device memory that the case of a contender takes beside the inputs, in bytes; about, for CUB.
std::uint64_t caseBytes(const Contender& contender, const BenchRequest& request, std::uint32_t sms);

/// Whether one of them reads BenchInputs::b.
bool needsSecondInput(const Contender& contender);

/// The case of a contender of contendersOf(request). Throws CudaFailure, and std::runtime_error where
/// this worker was built without the kernel.
std::unique_ptr<BenchCase> makeCase(const Contender& contender, const BenchRequest& request,
                                    const BenchInputs& inputs, std::uint32_t sms);

}  // namespace lanescope
