// Compiles the kernel of every experiment's variant with NVRTC, as the worker does; needs no GPU. Says so and
// counts as skipped where there is no NVRTC. Exit status 1 where one does not compile.
#include <cstdio>

#include "kernels/protocol/nvrtc.h"
#include "kernels/strategies/experiment.h"

namespace lanescope {
namespace {

constexpr int kSkipped = 77;

/// How many variants do not compile.
int countFailures(const Nvrtc& nvrtc, const Experiment& experiment) {
  const auto variants = makeVariants(experiment);
  if (!variants) return std::fprintf(stderr, "%s\n", variants.error().sentence().c_str()) > 0 ? 1 : 0;
  int failures = 0;
  for (const Variant& variant : *variants) {
    const auto shape = variant.shape(experiment.n, 132, experiment.type);
    TextLaunch launch{.text = *variant.text, .kernel = shape ? shape->kernel : variant.strategy.kernel};
    const auto compiled = nvrtc.compile(launch, "sm_90");
    if (compiled && compiled->compiled) continue;
    const std::string why = !compiled                    ? compiled.error().sentence()
                            : compiled->findings.empty() ? "no reason given"
                                                         : compiled->findings.front().message;
    std::fprintf(stderr, "%s: %s\n", variant.series.c_str(), why.c_str());
    ++failures;
  }
  return failures;
}

int compileAll() {
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) {
    std::fprintf(stderr, "skipped: %s\n", nvrtc.error().sentence().c_str());
    return kSkipped;
  }
  int failures = 0;
  for (const Experiment& experiment : experiments()) failures += countFailures(*nvrtc, experiment);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lanescope

int main() { return lanescope::compileAll(); }
