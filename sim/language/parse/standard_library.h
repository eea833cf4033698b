#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/text/token.h"

namespace lanescope::syntax {

/// What of the library is read only for texts that use it: of <type_traits>, <utility>, <functional>, <array>
/// and <span>; of <concepts>, which uses it; of libcu++'s <cuda/atomic>.
enum class LibraryPart : std::uint8_t { Plain, Concepts, Atomics };
inline constexpr std::size_t kLibraryParts = 3;
using LibraryParts = std::array<bool, kLibraryParts>;  ///< those that a text uses

/// Templates of the C++ library, written in CUDA C++. Each is one token with its namespace, `std::enable_if`.
/// The last token is not of kind End.
const std::vector<Token>& standardLibrary(LibraryPart part);

/// The part that has a name of the library, without its namespace.
LibraryPart partOf(std::string_view word);

/// The text of the part that is <cuda/atomic>.
std::string atomicLibrary();

/// True of a name of <cuda/atomic>: it is in cuda:: and cuda::std::, and the library has it as `std::atomic`.
bool isOfCuda(std::string_view word);

/// `std::enable_if` of `enable_if`, where the library has it; otherwise empty.
std::string_view standardName(std::string_view word);

}  // namespace lanescope::syntax
