#pragma once

#include <string>
#include <string_view>

namespace lanescope::checker {

/// The part of the device library that is cuRAND's device API: uniform and normal numbers of the generators
/// XORWOW (Marsaglia, "Xorshift RNGs", 2003) and Philox4x32-10 (Salmon et al., "Parallel random numbers: as
/// easy as 1, 2, 3", 2011). States and integers are a GPU's, bit for bit; normal numbers are of the host's
/// functions.
std::string randomLibrary();

/// True of a name that only this part of the library may have.
bool isRandomFunction(std::string_view name);

}  // namespace lanescope::checker
