#pragma once

#include <string>
#include <string_view>

namespace lanescope::checker {

/// The part of the device library for cuRAND's device API: uniform and normal numbers of the generators
/// XORWOW (Marsaglia, "Xorshift RNGs", 2003) and Philox4x32-10 (Salmon et al., "Parallel random numbers: as
/// easy as 1, 2, 3", 2011). States and integers are bit for bit a GPU's. Normal numbers are made with the
/// host's functions.
std::string randomLibrary();

/// True for a name that only this part of the library may have.
bool isRandomFunction(std::string_view name);

}  // namespace lanescope::checker
