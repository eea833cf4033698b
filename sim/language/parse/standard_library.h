#pragma once

#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope::syntax {

/// Templates of the C++ library, written in CUDA C++: of <type_traits>, <utility>, <functional> and <array>.
/// Each is one token with its namespace, `std::enable_if`. The last token is not of kind End.
const std::vector<Token>& standardLibrary();

/// `std::enable_if` of `enable_if`, where the library has it; otherwise empty.
std::string_view standardName(std::string_view word);

}  // namespace lanescope::syntax
