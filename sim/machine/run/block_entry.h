#pragma once

#include "sim/machine/run/prepare.h"

namespace lanescope {

/// A variable's register and its value when a block begins.
struct StartValue {
  std::uint16_t reg = 0;
  bool isWide = false;
  std::uint64_t bits = 0;
};

/// The start values of a frame of registers: set once before the first block, and again before each block.
struct StartValues {
  std::vector<StartValue> once;
  std::vector<StartValue> eachBlock;
};

/// Variables start at zero, so that a kernel that reads one unset does the same every time; parameters start
/// with their arguments. Set again for each block: the variables that the kernel writes, except, without
/// observers, those that it sets in every thread before it reads them.
StartValues makeStartValues(const Bytecode& code, const PreparedLaunch& prepared, bool isObserved);

}  // namespace lanescope
