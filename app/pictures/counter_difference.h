#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/memory/counters.h"

namespace lanescope {

/// The side that a difference favours.
enum class Better : std::uint8_t { Neither, Left, Right };

/// One counter of two runs, in words.
struct CounterDifference {
  std::string name;
  std::string meaning;     ///< one sentence, for a tooltip
  std::string left;        ///< `36`, `14%`
  std::string right;       ///< likewise
  std::string difference;  ///< right - left: `+15`, `−15`, `=`; of a share in points: `+16 pts`
  std::string ratio;       ///< right / left: `0.50×`; empty if the left is 0
  Better better = Better::Neither;
};

/// Wavefronts, conflicts, sectors, barriers, divergent branches, instructions (fewer is better) and the share
/// of lanes active (more is better).
std::vector<CounterDifference> counterDifferences(const Counters& left, const Counters& right);

/// Leaves out the right side, as there is no run to compare it with.
void withoutRight(std::vector<CounterDifference>& rows);

}  // namespace lanescope
