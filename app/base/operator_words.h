#pragma once

#include <string_view>

#include "sim/trace/provenance.h"

namespace lanescope {

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
