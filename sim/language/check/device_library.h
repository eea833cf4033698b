#pragma once

#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// Functions of CUDA's headers that are made of others, as syntax trees: parsed once, when a kernel first
/// calls a function that the file and the tables do not have. Those of random numbers are parsed by
/// themselves.
const syntax::Unit& deviceLibrary();

/// Those that have the name.
std::vector<const syntax::Function*> libraryFunctionsNamed(std::string_view name);

/// True of a function of the library's.
bool isOfLibrary(const syntax::Function& function);

/// What is wrong with their text: nothing, as a test asks.
std::vector<Diagnostic> deviceLibraryFaults();

}  // namespace lanescope::checker
