#pragma once

#include <vector>

#include "kernels/worker/bench_case.h"
#include "kernels/worker/driver_api.h"

namespace lanescope {

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

}  // namespace lanescope
