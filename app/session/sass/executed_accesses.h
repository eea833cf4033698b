#pragma once

#include <map>

#include "app/session/sass/access_changes.h"
#include "app/session/sass/access_groups.h"
#include "app/session/sass/execute/machine_run.h"
#include "sim/memory/counters.h"

namespace lanescope {

/// What machine code did in a launch, by the lines and kinds of `groups`. A loop over shared memory whose
/// iterations depend on which warps meet is not among them.
struct ExecutedAccesses {
  std::map<AccessGroupKey, AccessCost> costs;
  std::map<AccessGroupKey, Counters> counters;
  Counters others;  ///< of instructions that are on no line
};

ExecutedAccesses executedAccesses(const MachineRun& run, const MachineCode& code, const AccessGroups& groups);

/// Gives the lines what was executed, and where that is not what followed from the text words of its own.
void takeExecuted(AccessComparison& comparison, const ExecutedAccesses& executed, const AccessGroups& groups);

/// What all accesses, barriers and shuffles of machine code cost in a launch.
Counters executedCounters(const MachineRun& run, const MachineCode& code);

/// The issue slots by line, as executed.
std::vector<LineSlots> executedSlots(const MachineRun& run, const MachineCode& code);

}  // namespace lanescope
