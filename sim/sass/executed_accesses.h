#pragma once

#include <map>

#include "sim/sass/access_changes.h"
#include "sim/sass/access_groups.h"
#include "sim/sass/machine_run.h"
#include "sim/memory/counters.h"

namespace lanescope {

/// The executed accesses of machine code in a launch, by the lines and kinds of `groups`. A loop over shared
/// memory is left out if its iterations depend on which warps meet.
struct ExecutedAccesses {
  std::map<AccessGroupKey, AccessCost> costs;
  std::map<AccessGroupKey, Counters> counters;
  Counters others;  ///< of instructions that are on no line
};

ExecutedAccesses executedAccesses(const MachineRun& run, const MachineCode& code, const AccessGroups& groups);

/// Gives the lines the executed accesses, and words of their own if these differ from those derived from the
/// text.
void addExecuted(AccessComparison& comparison, const ExecutedAccesses& executed, const AccessGroups& groups);

/// The cost of all accesses, barriers and shuffles of machine code in a launch.
Counters executedCounters(const MachineRun& run, const MachineCode& code);

/// The issue slots by line, as executed.
std::vector<LineSlots> executedSlots(const MachineRun& run, const MachineCode& code);

}  // namespace lanescope
