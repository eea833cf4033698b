#pragma once

#include "app/scene/array_ladder.h"

/// What is marked in a ladder once its rows and arrows are there.
namespace lanescope {

/// Shuffles move every lane's value: registers and arrows that the result is not made of are idle, found from
/// the last row up. Nothing without registers.
void markIdle(Ladder& ladder);

/// Arrows straight down, where a lane's register is made of what it was before, too.
void addOwnRegisters(Ladder& ladder);

/// The registers that the phase under way reads for what it makes.
void markRegisterReads(Ladder& ladder);

}  // namespace lanescope
