#pragma once

#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// Functions of CUDA's headers that are made of other functions, as syntax trees: parsed once, when a kernel
/// first calls a function that is neither in the file nor in the tables. The functions for random numbers are
/// parsed separately.
const syntax::Unit& deviceLibrary();

/// The library's functions of that name.
std::vector<const syntax::Function*> libraryFunctionsNamed(std::string_view name);

/// True for a function of the library.
bool isOfLibrary(const syntax::Function& function);

/// The faults in the library's text: none, as a test checks.
std::vector<Diagnostic> deviceLibraryFaults();

}  // namespace lanescope::checker
