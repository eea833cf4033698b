#pragma once

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// Functions of CUDA's headers that are made of others, as syntax trees: parsed once, when a kernel first
/// calls a function that the file and the tables do not have.
const syntax::Unit& deviceLibrary();

/// What is wrong with their text: nothing, as a test asks.
const std::vector<Diagnostic>& deviceLibraryFaults();

}  // namespace lanescope::checker
