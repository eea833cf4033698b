#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// What a line of a kernel does, as far as pictures of its cost tell lines apart: the same in every kernel.
enum class LineRole : std::uint8_t {
  Global,     ///< reads or writes global memory
  Condition,  ///< tests which threads run what follows
  Shared,     ///< works in shared memory, or exchanges values within a warp
  Loop,       ///< the head of a loop, or a barrier
  Other,
};
inline constexpr std::size_t kLineRoles = 5;

/// In words, for a legend: `global memory`.
std::string_view lineRoleWords(LineRole role);

/// The roles of a kernel's lines, from 1, and of those of the functions that it calls. A line that does
/// several things has the first of LineRole, except that a line which tests and works in shared memory
/// (`if (tid < k) s[tid] += s[tid + k];`) does the latter. Lines that are not in the result are Other.
std::map<std::uint32_t, LineRole> findLineRoles(const SourceText& text, const typed::Kernel& kernel);

/// The same for a text; empty if it has no such kernel, or errors.
std::map<std::uint32_t, LineRole> findLineRoles(std::string_view text, std::string_view kernel);

}  // namespace lanescope
