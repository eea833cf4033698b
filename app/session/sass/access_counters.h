#pragma once

#include <vector>

#include "app/session/sass/access_changes.h"
#include "app/session/sass/access_groups.h"
#include "app/session/sass/sites/access_sites.h"
#include "sim/memory/counters.h"

namespace lanescope {

struct ExecutedAccesses;

/// What accesses of one kind cost, as counters.
Counters countersOfCost(StepKind kind, const AccessCost& cost, bool isResultUsed);

/// Every counter of Nsight Compute that the simulator predicts, of the text and of the machine code, whose
/// lines `comparison` has; of the machine code as executed, where it was.
std::vector<CounterChange> counterChanges(const AccessReport& report, const AccessComparison& comparison,
                                          const AccessGroups& groups, const ExecutedAccesses* executed);

}  // namespace lanescope
