#pragma once

#include <span>
#include <vector>

#include "kernels/strategies/variant.h"
#include "kernels/worker/bench_case.h"

namespace lanescope {

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
