#include "app/session/tests/counted_compiles.h"

#include <utility>
#include <vector>

#include "sim/language/parse/syntax.h"
#include "sim/machine/compile/bytecode.h"

namespace lanescope {

CountedCompiles& countedCompiles() {
  static CountedCompiles counted;
  return counted;
}

syntax::Unit realParse(const SourceText& source,
                       std::vector<Diagnostic>& diagnostics) asm("__real_" LANESCOPE_PARSE);
syntax::Unit countedParse(const SourceText& source,
                          std::vector<Diagnostic>& diagnostics) asm("__wrap_" LANESCOPE_PARSE);
syntax::Unit countedParse(const SourceText& source, std::vector<Diagnostic>& diagnostics) {
  ++countedCompiles().parses;
  return realParse(source, diagnostics);
}

Result<Bytecode> realCompile(typed::Kernel kernel) asm("__real_" LANESCOPE_COMPILE);
Result<Bytecode> countedCompile(typed::Kernel kernel) asm("__wrap_" LANESCOPE_COMPILE);
Result<Bytecode> countedCompile(typed::Kernel kernel) {
  ++countedCompiles().compilations;
  return realCompile(std::move(kernel));
}

}  // namespace lanescope
