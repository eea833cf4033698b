#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/provenance.h"

namespace lanescope::testing {

/// An expression over elements: operands of Add, Multiply, Minimum and Maximum are side by side.
struct Formula {
  Provenance::Kind kind = Provenance::Kind::None;  ///< None: unknown
  std::string name;                                ///< Input
  std::vector<Formula> operands;
};

/// What a formula says by the usual rules of precedence; `…` is unknown. Nothing where it is no formula.
std::optional<Formula> readFormula(std::string_view text);

/// True if a formula matches an expression: `…` may stand for any operand, or for several that are side by
/// side.
bool matchesName(const Formula& formula, const Formula& expression);

/// A Provenance, and the same expressions as trees.
struct MirroredGraph {
  struct Value {
    ProvenanceId id = kNoProvenance;
    std::shared_ptr<const Formula> tree;
  };
  /// The next element of the buffer a.
  Value input();
  static Value constant() { return {kNoProvenance, std::make_shared<Formula>()}; }
  Value join(Provenance::Kind kind, const Value& left, const Value& right);

  Provenance all;
  std::uint32_t inputs = 0;
};

}  // namespace lanescope::testing
