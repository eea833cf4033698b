#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"

namespace lanescope {

/// The diagnostic for a name in a part of CUDA or C++ that is not simulated (`tex2D`, `wmma::fragment`,
/// `curand_init`). Empty for any other name.
std::optional<Diagnostic> notSimulated(std::string_view name, SourceSpan span);

/// For a class of the C++ library that device code uses.
Diagnostic hostClassFault(std::string_view name, SourceSpan span);

/// What to do about a name that is not declared. One in capitals may be a macro of the program's build.
std::string wayToDeclare(std::string_view name);

}  // namespace lanescope
