#pragma once

#include <string_view>

#include "sim/trace/provenance.h"
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

/// The words for one operator in sentences.
struct OperatorWords {
  std::string_view result;   ///< `sum`
  std::string_view example;  ///< of two elements of the first input, as it may be typed: `a7+a9`
};

/// The words for any kind that joins values; neutral words for None and Other.
inline OperatorWords operatorWords(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::Add: return {"sum", "a7+a9"};
    case Provenance::Kind::Subtract: return {"difference", "(a7-a9)"};
    case Provenance::Kind::Multiply: return {"product", "a7*a9"};
    case Provenance::Kind::Minimum: return {"minimum", "min(a7, a9)"};
    case Provenance::Kind::Maximum: return {"maximum", "max(a7, a9)"};
    default: return {"result", "f(a7, a9)"};
  }
}

}  // namespace lanescope
