#pragma once

#include <memory>
#include <optional>

#include "kernels/protocol/bench_rules.h"
#include "kernels/worker/cuda_call.h"
#include "kernels/protocol/expected_sums.h"

namespace lanescope {

/// The input of a run's cases: n elements each, of the request's type.
struct BenchInputs {
  DeviceBuffer in;  ///< inputElement(i)
  DeviceBuffer b;   ///< inputElement(i + kSecondInput); empty if unused
};

inline constexpr std::uint64_t kSecondInput = 12345;

/// The facts about the work that a result reports.
struct BenchFacts {
  std::uint64_t grid = 0;      ///< blocks of the first launch; 0 if unknown
  std::uint64_t launches = 0;  ///< kernels and memsets; 0 if unknown
  std::uint64_t sharedBytes = 0;
  std::uint64_t bytes = 0;           ///< that the work must move
  double elementsPerThread = 0;      ///< of the first launch, on average; 0 if unknown
  std::uint32_t registers = 0;       ///< per thread, of an experiment's kernel; 0 if unknown
  std::uint32_t residentBlocks = 0;  ///< per SM at most, of an experiment's kernel; 0 if unknown
};

/// One contender's work, ready to be repeated over the same input. Every function throws CudaFailure.
class BenchCase {
 public:
  virtual ~BenchCase() = default;

  /// Queues the timed work.
  virtual void launch(const Stream& stream) = 0;
  /// Queues the untimed work before it: makes every earlier result unusable, so that one that a launch leaves
  /// unwritten is never mistaken for a correct one.
  virtual void reset(const Stream& stream) = 0;
  /// For work of the host: does it once and returns its microseconds by the host's clock. Empty: launch() is
  /// timed by the GPU's events.
  virtual std::optional<double> timeOnHost(const Stream& /*stream*/) { return std::nullopt; }
  /// Compares the results with the host's; waits.
  virtual SumCheck check(const Stream& stream) = 0;

  const BenchFacts& facts() const { return facts_; }

 protected:
  BenchFacts facts_;
};

/// Device memory of a contender's case besides the inputs, in bytes; approximate for CUB.
std::uint64_t caseBytes(const Contender& contender, const BenchRequest& request, std::uint32_t sms);

/// True if one of them reads BenchInputs::b.
bool needsSecondInput(const Contender& contender);

/// The case of a contender of makeContenders(request). Throws CudaFailure, and std::runtime_error if this
/// worker was built without the kernel.
std::unique_ptr<BenchCase> makeCase(const Contender& contender, const BenchRequest& request,
                                    const BenchInputs& inputs, std::uint32_t sms);

}  // namespace lanescope
