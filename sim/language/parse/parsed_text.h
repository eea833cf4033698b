#pragma once

#include <memory>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope {

/// A text and its syntax tree, parsed once for all uses.
struct ParsedText {
  explicit ParsedText(std::shared_ptr<const SourceText> text)
      : source(std::move(text)), unit(syntax::parse(*source, diagnostics)) {}

  std::shared_ptr<const SourceText> source;
  std::vector<Diagnostic> diagnostics;  ///< the faults; the tree then has everything read before them
  syntax::Unit unit;
};

}  // namespace lanescope
