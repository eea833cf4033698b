#pragma once

#include <array>

#include "sim/language/check/lane_functions.h"
#include "sim/machine/run/warp_state.h"

/// The functions of lane_functions.def as the machine calls them.
namespace lanescope {

/// dst = the function of a, b and c in the active lanes.
using LaneCall = void (*)(const WarpState& warp, const Instruction& instruction);

/// By the functions' numbers, which Instruction::imm names.
extern const std::array<LaneCall, kLaneFunctions.size()> kLaneCalls;

}  // namespace lanescope
