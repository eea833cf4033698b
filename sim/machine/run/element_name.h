#pragma once

#include <optional>
#include <string>

#include "sim/machine/run/prepare.h"

namespace lanescope {

/// An element by its address: `s[40]`, `tile[3][4]`, `out[7]`, or the name alone of a shared scalar. The
/// array is the one that the address was formed from; the index may be out of its bounds.
struct ElementName {
  std::string array;
  std::string place;
};
ElementName elementAt(const PreparedLaunch& prepared, std::uint64_t address);

/// The shared element that has the byte at an offset of a block's shared memory, regardless of how its
/// address was formed; nullopt between the arrays and past their end.
std::optional<ElementName> sharedElementAt(const PreparedLaunch& prepared, std::uint64_t offset);

/// The bytes of a block's shared memory that each shared array has; all extern arrays have the same.
std::vector<SharedExtent> listSharedObjects(const Bytecode& code, std::uint64_t sharedBytes);

}  // namespace lanescope
