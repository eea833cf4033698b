#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/language/parse/syntax.h"

namespace lanescope::checker {

/// The text with each `what` replaced by `with`.
inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// The part of the device library for cuRAND's device API: uniform and normal numbers of the generators
/// XORWOW (Marsaglia, "Xorshift RNGs", 2003) and Philox4x32-10 (Salmon et al., "Parallel random numbers: as
/// easy as 1, 2, 3", 2011). States and integers are bit for bit a GPU's. Normal numbers are made with the
/// host's functions.
std::string randomLibrary();

/// True for a name that only this part of the library may have.
bool isRandomFunction(std::string_view name);

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
