#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/syntax.h"

namespace lanescope {

/// The name that selects a kernel: `reduce`, `reduce<128>`. If several have the name (overloads,
/// specialisations, kernels of other namespaces), `reduce@2` is the second one in the text.
struct KernelName {
  std::string text;        ///< without the number
  std::size_t number = 1;  ///< among the text's kernels of that name, from 1; 0: invalid number after the @
};
KernelName splitKernelName(std::string_view asked);

/// The kernel of that plain name, without template arguments. Null if the text has none.
const syntax::Function* kernelNamed(const syntax::Unit& unit, std::string_view plain, std::size_t number);

/// Checks one kernel of a text and the functions it calls. `kernel` is as in KernelName. If it is empty: the
/// text's only kernel. Errors: every diagnostic rendered with line, column, caret and hint; no such kernel
/// (with the names of the existing ones); template arguments that do not fit.
Result<typed::Kernel> checkKernel(const ParsedText& text, std::string_view kernel);

/// The variables at file scope that begin with pointers: to functions (`__device__ op_t table[] = {add,
/// mul};`), each its number in the text, to string literals and to other variables. The result includes these
/// literals and variables.
std::vector<typed::GlobalSymbol> addressTables(const ParsedText& text);

/// Names of the kernels in a text, in order. Empty if it does not parse.
std::vector<std::string> kernelNames(const ParsedText& text);

}  // namespace lanescope
