#pragma once

#include <string_view>

#include "sim/trace/trace.h"

namespace lanescope {

/// The noun for an element of that type in sentences that count words of 4 bytes too: `double`; `word` if it
/// takes one.
inline std::string_view elementNoun(ValueType type) {
  if (type == ValueType::F64) return "double";
  if (type == ValueType::Pointer) return "pointer";
  return isWide(type) ? "64-bit integer" : "word";
}

/// The first cell of the element that a cell is of.
inline std::uint32_t firstCellAt(const TracedArray& array, std::uint32_t cell) {
  return cell - (cell - array.firstCell) % splitWords(array.type);
}

}  // namespace lanescope
