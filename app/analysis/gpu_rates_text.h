#pragma once

#include <string_view>

namespace lanescope {

/// The text of assets/gpu_rates.json, which the build carries.
std::string_view gpuRatesText();

}  // namespace lanescope
