#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope::syntax {

/// Templates of the C++ library, written in CUDA C++: of <type_traits>, <utility>, <functional>, <array>, and
/// libcu++'s <cuda/atomic>.
/// Each is one token with its namespace, `std::enable_if`. The last token is not of kind End.
const std::vector<Token>& standardLibrary();

/// The part of it that is <cuda/atomic>.
std::string atomicLibrary();

/// True of a name of <cuda/atomic>: it is in cuda:: and cuda::std::, and the library has it as `std::atomic`.
bool isOfCuda(std::string_view word);

/// `std::enable_if` of `enable_if`, where the library has it; otherwise empty.
std::string_view standardName(std::string_view word);

}  // namespace lanescope::syntax
