#pragma once

#include <cstdint>
#include <vector>

#include "app/session/sass/code/machine_code.h"
#include "app/session/sass/sites/operation_counts.h"

namespace lanescope {

/// What a line needs of the schedulers.
struct LineSlots {
  std::uint32_t line = 0;          ///< 0: code of no line of the text
  std::uint32_t instructions = 0;  ///< machine instructions that it has
  double slots = 0;                ///< warp instructions issued for it
};

/// The issue slots of a launch of `warps` warps, by line, from its machine code and from how often its text's
/// operations are executed. All machine instructions of a straight piece of code are executed as often as
/// each other: as often as the accesses, shuffles, barriers and floating-point operations of the text that
/// are in it, of which the machine code may have several copies; without one, as often as its lines are, or
/// as the piece before it. Code outside every loop is executed at most once by a warp. Where several answers
/// are possible the least is taken, so that a floor is one.
std::vector<LineSlots> issueSlots(const MachineCode& code, const std::vector<OperationCount>& text,
                                  std::uint64_t warps);

}  // namespace lanescope
