#include "app/panels/floor_request.h"

#include <algorithm>
#include <utility>

#include "app/gpu/gpu_session.h"

namespace lanescope {
namespace {

constexpr const char* kUsualGpu = "h200";  ///< its floors are shown if the shown GPU is unknown

/// The rates of the shown GPU, else those of the usual one.
Result<GpuRates> ratesOnShow(const GpuSession& gpu) {
  const auto& hello = gpu.data().hello();
  auto rates = findGpuRates(hello ? hello->gpu : kUsualGpu);
  return rates ? rates : findGpuRates(kUsualGpu);
}

Result<FloorRequest> requestFor(const ViewState& state, std::uint64_t largestN) {
  auto rates = ratesOnShow(state.gpu);
  if (!rates) return rates.error();
  FloorRequest request;
  const std::uint64_t n = largestN != 0 ? std::min(state.gpuPanel.n, largestN) : state.gpuPanel.n;
  request.query = {n, state.gpuPanel.block, CacheState::Cold, std::move(rates).value(), {}, {}};
  return request;
}

}  // namespace

Result<FloorRequest> makeFloorRequest(const ViewState& state, const Strategy& strategy) {
  auto request = requestFor(state, strategy.largestN);
  if (request) request.value().strategy = &strategy;
  return request;
}

Result<FloorRequest> makeFloorRequest(ViewState& state, const Document& document) {
  if (document.form || document.strategy == nullptr) {
    auto request = requestFor(state, 0);
    auto launch = makeGpuLaunch(document, state.session.selection(), *state.session.editor().kernelCache());
    if (!launch) return launch.error();
    if (launch->given != nullptr)
      return Error{"Floors of a launch with a program's data are not counted.",
                   "Write the arguments in the launch form."};
    if (!request) return request;
    request.value().launch = std::move(launch).value();
    request.value().query.toolkit = state.machineCode.toolkit();
    return request;
  }
  if (state.session.editor().findFacts().element != ElementType::Float)
    return Error{"Floors are counted of strategies over floats."};
  const Strategy& strategy = *document.strategy;
  auto request = makeFloorRequest(state, strategy);
  if (const std::string text = document.buffer.text(); request && text != strategy.source)
    request.value().query.text = std::make_shared<SourceText>(std::string(strategy.file), text);
  if (request) request.value().query.toolkit = state.machineCode.toolkit();
  return request;
}

}  // namespace lanescope
