#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope {

/// The diagnostics of a text, again: of one that has other lines but the same meaning.
using Recheck = std::function<std::vector<Diagnostic>(const ParsedText&)>;

/// Gives diagnostics whose place is an #include their place in the file that it includes
/// (Diagnostic::header). For that the text is checked again with the file's lines in place of the #include.
void placeInHeaders(const ParsedText& text, std::vector<Diagnostic>& diagnostics, const Recheck& recheck);

/// `common.h:12`: the first line of an included file, or of the text, whose code has the name, in no comment
/// or string; empty if none has it.
std::string placeOfName(const SourceText& source, std::string_view name);

}  // namespace lanescope
