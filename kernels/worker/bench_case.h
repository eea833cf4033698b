#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/protocol/bench_rules.h"
#include "kernels/protocol/expected_results.h"
#include "kernels/strategies/experiment.h"
#include "kernels/worker/cuda_call.h"
#include "kernels/worker/loaded_kernel.h"

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

/// The kernel of that name, with its template arguments, for cudaLaunchKernel; nullptr if this worker was
/// built without it.
const void* findKernel(ElementType type, const std::string& name);

/// A strategy's kernel, launched once or until one value is left.
class StrategyCase : public BenchCase {
 public:
  /// `text`: the kernel unless it is a strategy's own; nullptr: the strategy's.
  StrategyCase(const Strategy& strategy, const BenchRequest& request, const BenchInputs& inputs,
               std::vector<StrategyShape> launches, std::shared_ptr<const LoadedKernel> text = nullptr);

  void launch(const Stream& stream) override;
  void reset(const Stream& stream) override;
  SumCheck check(const Stream& stream) override;

  /// Bytes of the buffers that the launches write.
  static std::uint64_t bytesNeeded(const Strategy& strategy, const std::vector<StrategyShape>& launches);

 private:
  struct Pass {
    StrategyShape shape;
    const void* kernel = nullptr;  ///< nullptr: text_
    DeviceBuffer out;
  };

  void launchPass(const Pass& pass, const void* in, const Stream& stream) const;
  void addTextFacts();
  /// True if `out` is added to, and so must be zero before a launch.
  bool addsToOut() const { return strategy_.result == ResultKind::Sum; }
  SumCheck checkValues(const Stream& stream) const;
  /// Queues the count of the wrong elements of `out`, for a strategy whose elements are checked one by one.
  cudaError_t launchCountWrong(const Pass& pass, unsigned long long* wrong, const Stream& stream) const;
  /// The number of points of a sample of a Julia set that are wrong by the host's calculation; waits.
  static std::uint64_t countWrongOnHost(const Pass& pass, const Stream& stream);

  const Strategy& strategy_;
  Scope scope_;
  ElementType type_;
  const BenchInputs& inputs_;
  std::shared_ptr<const LoadedKernel> text_;
  std::vector<Pass> passes_;
  DeviceBuffer scratch_;
  DeviceBuffer partials_;
  DeviceBuffer next_;  ///< empty if the kernel takes none
  DeviceBuffer counter_;
};

/// Work of the host over n floats: a copy to the GPU, or the sum on the CPU.
class HostCase : public BenchCase {
 public:
  HostCase(HostWork work, std::uint64_t n);
  ~HostCase() override;
  HostCase(const HostCase&) = delete;
  HostCase& operator=(const HostCase&) = delete;

  void launch(const Stream& stream) override;
  void reset(const Stream& stream) override;
  std::optional<double> timeOnHost(const Stream& stream) override;
  SumCheck check(const Stream& stream) override;

 private:
  bool isCopy() const { return work_ == HostWork::CopyPageable || work_ == HostWork::CopyPinned; }

  HostWork work_;
  std::vector<float> pageable_;
  void* pinned_ = nullptr;
  std::span<float> elements_;  ///< in either
  DeviceBuffer copy_;
  double sum_ = 0;
};

}  // namespace lanescope
