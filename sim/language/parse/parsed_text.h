#pragma once

#include <memory>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope {

/// A text and its syntax tree, parsed once for all that look at it.
struct ParsedText {
  explicit ParsedText(std::shared_ptr<const SourceText> text)
      : source(std::move(text)), unit(syntax::parse(*source, diagnostics)) {}

  std::shared_ptr<const SourceText> source;
  std::vector<Diagnostic> diagnostics;  ///< what is wrong; the tree then has what was read before
  syntax::Unit unit;
};

}  // namespace lanescope
