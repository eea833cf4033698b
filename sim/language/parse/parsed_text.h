#pragma once

#include <memory>
#include <vector>

#include "sim/base/work_count.h"
#include "sim/language/parse/syntax.h"

namespace lanescope {

/// A text and its syntax tree, parsed once for all uses.
struct ParsedText {
  explicit ParsedText(std::shared_ptr<const SourceText> text, WorkCountPtr counting = {})
      : source(std::move(text)), work(std::move(counting)), unit(syntax::parse(*source, diagnostics)) {
    countWork(work, &WorkCount::parses);
    countWork(work, &WorkCount::tokenizations);
  }

  std::shared_ptr<const SourceText> source;
  WorkCountPtr work;                    ///< counts what is done with the text; may be null
  std::vector<Diagnostic> diagnostics;  ///< the faults; the tree then has everything read before them
  syntax::Unit unit;
};

}  // namespace lanescope
