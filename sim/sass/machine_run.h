#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/machine/run/launch.h"
#include "sim/sass/access_sites.h"
#include "sim/sass/machine_code.h"

namespace lanescope {

/// The executions of one machine instruction in a launch.
struct InstructionRun {
  std::uint64_t issued = 0;  ///< by warps, those for no lane among them
  AccessCost cost;           ///< of its accesses; executions are warp instructions with an active lane
};

/// A launch as its machine code does it.
struct MachineRun {
  std::vector<InstructionRun> instructions;     ///< by instruction of the code
  std::vector<std::vector<std::byte>> buffers;  ///< as they are left
  /// How often a loop over shared memory is repeated depends on which warps meet.
  bool dependsOnTime = false;
};

/// Executes the first `blocks` blocks of a launch from their machine code: each register, each address.
/// Supports compute capabilities 7.5 to 9.0. Error: an instruction or a form of one that is unknown here, an
/// access outside the launch's memory, or more than `mostIssued` warp instructions; then nothing follows from
/// the run.
Result<MachineRun> runMachineCode(const Launch& launch, const MachineCode& code, std::uint64_t blocks,
                                  std::uint64_t mostIssued);

}  // namespace lanescope
