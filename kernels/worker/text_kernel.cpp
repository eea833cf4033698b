#include "kernels/worker/text_kernel.h"

#include <string>

#include "kernels/protocol/nvrtc.h"

namespace lanescope {
namespace {

/// `sm_90`
std::string currentArchitecture() {
  int device = 0;
  int major = 0;
  int minor = 0;
  check(cudaGetDevice(&device), "say which it is");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "say what it is");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "say what it is");
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

std::string findFirstError(const CompiledText& compiled) {
  for (const CompilerFinding& finding : compiled.findings) {
    if (finding.isError) return "line " + std::to_string(finding.line) + ": " + finding.message;
  }
  return "the compiler gives no reason";
}

}  // namespace

std::shared_ptr<const LoadedKernel> loadVariant(const Variant& variant, const StrategyShape& shape) {
  const auto nvrtc = Nvrtc::load();
  if (!nvrtc) throw TextFailure(nvrtc.error().sentence());
  TextLaunch launch{.kernel = shape.kernel};
  if (shape.type != ElementType::Float)
    launch.text = "#define float " + std::string(elementTypeName(shape.type)) + "\n#line 1\n";
  launch.text += *variant.text;
  const auto compiled = nvrtc->compile(launch, currentArchitecture());
  if (!compiled) throw TextFailure(compiled.error().sentence());
  if (!compiled->compiled)
    throw TextFailure("'" + variant.series + "' does not compile: " + findFirstError(*compiled) + ".");
  auto kernel = std::make_shared<const LoadedKernel>(compiled->image, compiled->loweredName);
  if (shape.dynamicSharedBytes > 0) kernel->allowDynamicShared(shape.dynamicSharedBytes);
  return kernel;
}

}  // namespace lanescope
