#pragma once

#include <string_view>

#include "sim/trace/provenance.h"

namespace lanescope {

/// What one operator is called in sentences.
struct OperatorWords {
  std::string_view result;   ///< `sum`
  std::string_view example;  ///< of two elements, as it may be typed: `a4+a12`
};

/// Of whatever joins values; of None and Other neutral words.
inline OperatorWords operatorWords(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::Add: return {"sum", "a4+a12"};
    case Provenance::Kind::Subtract: return {"difference", "(a4-a12)"};
    case Provenance::Kind::Multiply: return {"product", "a4*a12"};
    case Provenance::Kind::Minimum: return {"minimum", "min(a4, a12)"};
    case Provenance::Kind::Maximum: return {"maximum", "max(a4, a12)"};
    default: return {"result", "f(a4, a12)"};
  }
}

}  // namespace lanescope
