#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/check/typed_tree.h"
#include "sim/language/parse/parsed_text.h"

namespace lanescope {

/// Checks one kernel of a text and what it calls. `kernel` is `name` or `name<128>`; empty: the text's only
/// kernel. Errors: every diagnostic rendered with line, column, caret and hint; no such kernel (the ones
/// there are named); template arguments that do not fit.
Result<typed::Kernel> checkKernel(const ParsedText& text, std::string_view kernel);

/// The variables at file scope that begin with pointers: to functions (`__device__ op_t table[] = {add,
/// mul};`), each its number in the text, to texts and to other variables, which are among the results.
std::vector<typed::GlobalSymbol> addressTables(const ParsedText& text);

/// Names of the kernels in a text, in order; empty when it does not parse.
std::vector<std::string> kernelNames(const ParsedText& text);

}  // namespace lanescope
