#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/parsed_text.h"

namespace lanescope {

/// What a kernel is asked for by: `reduce`, `reduce<128>`. Of several with one name (overloads,
/// specialisations, those of other namespaces), `reduce@2` is the second one in the text.
struct KernelName {
  std::string text;        ///< without the number
  std::size_t number = 1;  ///< among the text's kernels of that name, from 1; 0: what is behind the @ is none
};
KernelName kernelNameOf(std::string_view asked);

/// The kernel of that plain name, without template arguments; null where the text has none.
const syntax::Function* kernelNamed(const syntax::Unit& unit, std::string_view plain, std::size_t number);

/// Checks one kernel of a text and what it calls. `kernel` is as of KernelName; empty: the text's only
/// kernel. Errors: every diagnostic rendered with line, column, caret and hint; no such kernel (the ones
/// there are named); template arguments that do not fit.
Result<typed::Kernel> checkKernel(const ParsedText& text, std::string_view kernel);

/// The variables at file scope that begin with pointers: to functions (`__device__ op_t table[] = {add,
/// mul};`), each its number in the text, to texts and to other variables, which are among the results.
std::vector<typed::GlobalSymbol> addressTables(const ParsedText& text);

/// Names of the kernels in a text, in order; empty when it does not parse.
std::vector<std::string> kernelNames(const ParsedText& text);

}  // namespace lanescope
