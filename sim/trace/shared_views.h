#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/compile/bytecode.h"
#include "sim/machine/run/prepare.h"

namespace lanescope {

/// How an access reaches shared memory: from which address, and as elements of which type.
struct SharedView {
  static constexpr std::uint16_t kNone = UINT16_MAX;
  std::uint16_t base = kNone;     ///< register of the address that an index is added to, which never changes
  std::string name{};             ///< of the pointer variable or array
  const Type* element = nullptr;  ///< null: unknown
};

/// By instruction; without a base for what is no access, or leads elsewhere. Empty without dynamic arrays.
std::vector<SharedView> findSharedViews(const PreparedLaunch& prepared);

/// Two arrays in dynamic shared memory that have bytes in common.
struct SharedOverlap {
  std::uint32_t first = 0;   ///< an access through one
  std::uint32_t second = 0;  ///< and through the other
  std::uint64_t address = 0;
};

/// True if the two are of different kinds: whole numbers and floating ones.
bool areOfOtherKind(const SharedView& a, const SharedView& b);

}  // namespace lanescope
