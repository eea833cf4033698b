#pragma once

#include <vector>

#include "sim/sass/access_changes.h"
#include "sim/sass/access_groups.h"
#include "sim/sass/access_sites.h"
#include "sim/memory/counters.h"

namespace lanescope {

struct ExecutedAccesses;

/// The cost of accesses of one kind, as counters.
Counters countersOfCost(StepKind kind, const AccessCost& cost, bool isResultUsed);

/// Every counter of Nsight Compute that the simulator predicts, of the text and of the machine code;
/// `comparison` has the lines of both. The machine code's counters are as executed, if it was executed.
std::vector<CounterChange> counterChanges(const AccessReport& report, const AccessComparison& comparison,
                                          const AccessGroups& groups, const ExecutedAccesses* executed);

}  // namespace lanescope
