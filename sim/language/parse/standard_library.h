#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope::syntax {

/// Parts of the library that are read only for texts that use them: <type_traits>, <utility>, <functional>,
/// <array> and <span>, <concepts>, which uses the first, and libcu++'s <cuda/atomic>.
enum class LibraryPart : std::uint8_t { Plain, Concepts, Atomics };
inline constexpr std::size_t kLibraryParts = 3;
using LibraryParts = std::array<bool, kLibraryParts>;  ///< the parts that a text uses

/// Templates of the C++ library, written in CUDA C++. Each name is one token with its namespace,
/// `std::enable_if`. The last token is not of kind End.
const std::vector<Token>& standardLibrary(LibraryPart part);

/// The part that has a name of the library. The name is without its namespace.
LibraryPart findPart(std::string_view word);

/// The text of the part for <cuda/atomic>.
std::string atomicLibrary();

/// True for a name of <cuda/atomic>: it is in cuda:: and cuda::std::, and the library has it as
/// `std::atomic`.
bool isOfCuda(std::string_view word);

/// `std::enable_if` for `enable_if`, if the library has it. Empty otherwise.
std::string_view standardName(std::string_view word);

}  // namespace lanescope::syntax
