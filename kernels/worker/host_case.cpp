#include "kernels/worker/host_case.h"

#include <chrono>
#include <limits>

#include "kernels/protocol/cpu_sum.h"
#include "kernels/protocol/input_pattern.h"

namespace lanescope {

HostCase::HostCase(HostWork work, std::uint64_t n) : work_(work) {
  if (work == HostWork::CopyPinned) {
    lanescope::check(cudaMallocHost(&pinned_, n * sizeof(float)), "pin the host's memory");
    elements_ = {static_cast<float*>(pinned_), n};
  } else {
    pageable_.resize(n);
    elements_ = pageable_;
  }
  for (std::uint64_t i = 0; i < n; ++i) elements_[i] = static_cast<float>(inputElement(i));
  if (isCopy()) copy_ = DeviceBuffer(n * sizeof(float));
  facts_.bytes = n * sizeof(float);
  facts_.launches = isCopy() ? 1 : 0;
}

HostCase::~HostCase() {
  if (pinned_ != nullptr) cudaFreeHost(pinned_);
}

void HostCase::launch(const Stream& stream) {
  if (!isCopy()) {
    sum_ = cpuSum(elements_, work_ == HostWork::CpuOneThread ? 1 : 0);
    return;
  }
  lanescope::check(
      cudaMemcpyAsync(copy_.data(), elements_.data(), copy_.bytes(), cudaMemcpyHostToDevice, stream.get()),
      "take a copy");
}

void HostCase::reset(const Stream& stream) {
  sum_ = std::numeric_limits<double>::quiet_NaN();
  if (isCopy())
    lanescope::check(cudaMemsetAsync(copy_.data(), 0xff, copy_.bytes(), stream.get()), "clear its results");
}

std::optional<double> HostCase::timeOnHost(const Stream& stream) {
  reset(stream);
  stream.wait("clear its results");
  const auto begin = std::chrono::steady_clock::now();
  launch(stream);
  stream.wait("take a copy");
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

SumCheck HostCase::check(const Stream& stream) {
  const std::uint64_t n = elements_.size();
  if (!isCopy()) return checkTotal(sum_, n, 1, ElementType::Float);
  std::vector<float> back(n);
  lanescope::check(
      cudaMemcpyAsync(back.data(), copy_.data(), copy_.bytes(), cudaMemcpyDeviceToHost, stream.get()),
      "hand over its results");
  stream.wait("hand over its results");
  SumCheck result;
  for (std::uint64_t i = 0; i < n; ++i) result.wrongBlocks += back[i] == elements_[i] ? 0 : 1;
  result.expected = static_cast<double>(n);
  result.got = static_cast<double>(n - result.wrongBlocks);
  return result;
}

}  // namespace lanescope
