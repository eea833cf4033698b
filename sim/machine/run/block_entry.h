#pragma once

#include "sim/machine/run/prepare.h"

namespace lanescope {

/// A variable's register and what it holds when a block begins.
struct StartValue {
  std::uint16_t reg = 0;
  bool isWide = false;
  std::uint64_t bits = 0;
};

/// What a frame of registers must be given: once before the first block, and again before each block.
struct StartValues {
  std::vector<StartValue> once;
  std::vector<StartValue> eachBlock;
};

/// Variables start at zero, so that a kernel that reads one unset does the same every time; parameters
/// with their arguments. Again for each block: those that the kernel writes, save, where nobody observes,
/// those that it sets in every thread before it reads them.
StartValues startValuesOf(const Bytecode& code, const PreparedLaunch& prepared, bool isObserved);

}  // namespace lanescope
