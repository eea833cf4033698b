#pragma once

#include <cstdint>
#include <vector>

#include "sim/sass/machine_code.h"
#include "sim/sass/operation_counts.h"

namespace lanescope {

/// The issue slots that a line needs.
struct LineSlots {
  std::uint32_t line = 0;          ///< 0: code that belongs to no line of the text
  std::uint32_t instructions = 0;  ///< machine instructions that it has
  double slots = 0;                ///< warp instructions issued for it
};

/// The issue slots of a launch of `warps` warps, by line, from its machine code and from how often its text's
/// operations are executed. All machine instructions of a straight piece of code are executed equally often:
/// as often as the accesses, shuffles, barriers and floating-point operations of the text that are in it, of
/// which the machine code may have several copies. A piece without one is executed as often as its lines, or
/// as the piece before it. Code outside every loop is executed at most once per warp. If several answers are
/// possible, the least is taken, so that the sum is a lower bound.
std::vector<LineSlots> issueSlots(const MachineCode& code, const std::vector<OperationCount>& text,
                                  std::uint64_t warps);

}  // namespace lanescope
