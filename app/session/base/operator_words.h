#pragma once

#include <string_view>

#include "sim/trace/provenance.h"

namespace lanescope {

/// What one operator is called in sentences.
struct OperatorWords {
  std::string_view result;   ///< `sum`
  std::string_view example;  ///< of two elements, as it may be typed: `x1+x2`. Inputs are named from a
                             ///< on: it is no answer
};

/// Of whatever joins values; of None and Other neutral words.
inline OperatorWords operatorWords(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::Add: return {"sum", "x1+x2"};
    case Provenance::Kind::Subtract: return {"difference", "(x1-x2)"};
    case Provenance::Kind::Multiply: return {"product", "x1*x2"};
    case Provenance::Kind::Minimum: return {"minimum", "min(x1, x2)"};
    case Provenance::Kind::Maximum: return {"maximum", "max(x1, x2)"};
    default: return {"result", "f(x1, x2)"};
  }
}

}  // namespace lanescope
