#pragma once

#include <optional>
#include <string_view>

#include "sim/language/text/diagnostic.h"

namespace lanescope {

/// What to say of a name that belongs to a part of CUDA or C++ that is not simulated (`tex2D`,
/// `wmma::fragment`, `curand_init`); nothing of a name that is of no such part.
std::optional<Diagnostic> notSimulated(std::string_view name, SourceSpan span);

/// Of a class of the C++ library that device code uses.
Diagnostic hostClassFault(std::string_view name, SourceSpan span);

}  // namespace lanescope
