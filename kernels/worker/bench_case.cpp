#include "kernels/worker/bench_case.h"

#include <algorithm>
#include <stdexcept>

#include "kernels/worker/cub_reduce.h"
#include "kernels/worker/host_case.h"
#include "kernels/worker/strategy_case.h"
#include "kernels/worker/text_kernel.h"

namespace lanescope {
namespace {

constexpr std::uint64_t kCubScratchGuess = std::uint64_t{1} << 20U;  // it requests kilobytes

/// CUB's DeviceReduce::Sum.
class CubCase : public BenchCase {
 public:
  CubCase(const BenchRequest& request, const BenchInputs& inputs)
      : n_(request.n), type_(request.type), in_(inputs.in.data()), out_(elementBytes(request.type)) {
    std::size_t bytes = 0;
    lanescope::check(cubScratchBytes(type_, n_, bytes), "ask CUB for its scratch memory");
    scratch_ = DeviceBuffer(std::max<std::size_t>(bytes, 1));
    facts_.bytes = bytesMoved(nullptr, Scope::Full, n_, 1, type_);
  }

  void launch(const Stream& stream) override {
    lanescope::check(
        launchCubSum(type_, scratch_.data(), scratch_.bytes(), in_, out_.data(), n_, stream.get()),
        "run CUB");
  }

  void reset(const Stream& stream) override {
    lanescope::check(cudaMemsetAsync(out_.data(), 0xff, out_.bytes(), stream.get()), "clear its results");
  }

  SumCheck check(const Stream& stream) override {
    union {
      float asFloat;
      double asDouble;
      std::int32_t asInt;
    } value{};
    lanescope::check(cudaMemcpyAsync(&value, out_.data(), out_.bytes(), cudaMemcpyDeviceToHost, stream.get()),
                     "hand over its results");
    stream.wait("run CUB");
    const double got = type_ == ElementType::Double ? value.asDouble
                       : type_ == ElementType::Int  ? static_cast<double>(value.asInt)
                                                    : static_cast<double>(value.asFloat);
    // Blocks of CUB's own choice: an element passes through about as many additions as the longest sum of one
    // thread has; the square root of n is more than enough.
    std::uint64_t additions = 1024;
    while (additions * additions < n_) additions *= 2;
    return checkTotal(got, n_, additions, type_);
  }

 private:
  std::uint64_t n_;
  ElementType type_;
  const void* in_;
  DeviceBuffer out_;
  DeviceBuffer scratch_;
};

}  // namespace

std::uint64_t caseBytes(const Contender& contender, const BenchRequest& request, std::uint32_t sms) {
  if (contender.strategy == nullptr) return kCubScratchGuess;
  if (contender.variant != nullptr && contender.variant->work != HostWork::None)
    return request.n * sizeof(float);
  const auto launches = makeLaunches(contender, request, sms);
  return launches ? StrategyCase::bytesNeeded(*contender.strategy, *launches) : 0;
}

bool needsSecondInput(const Contender& contender) {
  return contender.strategy != nullptr && std::ranges::find(contender.strategy->parameters, Parameter::B) !=
                                              contender.strategy->parameters.end();
}

std::unique_ptr<BenchCase> makeCase(const Contender& contender, const BenchRequest& request,
                                    const BenchInputs& inputs, std::uint32_t sms) {
  if (contender.strategy == nullptr) return std::make_unique<CubCase>(request, inputs);
  if (contender.variant != nullptr && contender.variant->work != HostWork::None)
    return std::make_unique<HostCase>(contender.variant->work, request.n);
  auto launches = makeLaunches(contender, request, sms);
  if (!launches) throw std::runtime_error(launches.error().sentence());
  const auto kernel =
      contender.variant == nullptr ? nullptr : loadVariant(*contender.variant, launches->front());
  return std::make_unique<StrategyCase>(*contender.strategy, request, inputs, std::move(*launches), kernel);
}

}  // namespace lanescope
