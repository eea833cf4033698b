#pragma once

#include <string>
#include <vector>

#include "app/pictures/difference_scene.h"
#include "app/analysis/floor_report.h"
#include "app/analysis/text_profiles.h"

namespace lanescope {

/// One side of two profiles that are compared.
struct ProfileSide {
  const TextProfile* profile = nullptr;
  const FloorReport* floors = nullptr;  ///< nullptr: not counted
};

/// The differences of two profiles: `kernel` (time, floor, instructions, units in percent of their peaks,
/// occupancy) and `warps' time` (stall reasons). A value that a side does not have is `–`.
std::vector<DifferenceGroup> profileDifferences(const ProfileSide& left, const ProfileSide& right);

/// The side's costliest lines, one per row: `line 11, 51%: if (tid % (2 * k) == 0) {`.
std::vector<std::string> costliestLines(const ProfileSide& side, std::size_t most);

}  // namespace lanescope
