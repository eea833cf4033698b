#include "app/analysis/local_code.h"

#include <chrono>
#include <utility>

#include "sim/language/parse/parsed_text.h"
#include "sim/machine/compile/compiled_kernel.h"

namespace lanescope {
namespace {

constexpr std::chrono::milliseconds kDelay{300};   // after the last key
constexpr std::uint64_t kQuickAccesses = 200'000;  // a second, or two

}  // namespace

LocalCode::Outcome LocalCode::work(const Request& request, const std::stop_token& stop) {
  auto outcome = std::make_shared<CodeOutcome>();
  outcome->source = request.launch.source;
  outcome->kernel = request.launch.kernel;
  if (outcome->kernel.empty()) {
    const auto compiled = compileKernel(ParsedText(request.launch.source), {});
    if (!compiled) {
      outcome->code = compiled.error();
      return outcome;
    }
    outcome->kernel = (*compiled)->code.kernelName;
  }
  outcome->code = disassemble(makeCodeRequest(*request.launch.source, outcome->kernel, request.architecture),
                              request.toolkit, [&stop](double) { return !stop.stop_requested(); });
  if (!outcome->code || !request.toolkit.nvdisasm || stop.stop_requested()) return outcome;
  Launch launch = request.launch;
  launch.stop = stop;
  if (auto comparison = compareAccesses(launch, *outcome->code, kQuickAccesses))
    outcome->comparison = std::move(comparison).value();
  return outcome;
}

const Toolkit& LocalCode::toolkit() {
  if (!toolkit_) toolkit_ = findToolkit();
  return *toolkit_;
}

void LocalCode::ask(const Launch& launch, const std::string& architecture) {
  if (!job_) job_ = std::make_unique<Job>(Job::Work(work), wake_, kDelay);
  job_->request({launch, architecture, toolkit()});
}

bool LocalCode::poll() {
  if (!job_) return false;
  auto outcome = job_->consume();
  if (!outcome) return false;
  found_ = std::move(*outcome);
  return true;
}

const CodeOutcome* LocalCode::of(std::string_view text) const {
  return found_ != nullptr && found_->source->text() == text ? found_.get() : nullptr;
}

}  // namespace lanescope
