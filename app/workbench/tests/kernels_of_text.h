#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/launch/kernel_cache.h"

namespace lanescope::testing {

/// The signatures of a text's kernels.
inline std::vector<KernelSignature> findKernels(const std::string& text) {
  return KernelCache().findKernels(std::make_shared<SourceText>("test.cu", text));
}

}  // namespace lanescope::testing
