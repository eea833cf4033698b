#pragma once

#include <memory>
#include <stdexcept>

#include "kernels/strategies/variant.h"
#include "kernels/worker/driver_api.h"

namespace lanescope {

/// A shipped text that the machine's compiler rejects; the process continues.
struct TextFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The kernel of a variant, compiled by NVRTC for the current GPU like edited kernels, with `float` as the
/// type of element. Throws TextFailure with one sentence, and CudaFailure.
std::shared_ptr<const LoadedKernel> loadVariant(const Variant& variant, const StrategyShape& shape);

}  // namespace lanescope
