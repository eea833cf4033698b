#pragma once

#include <vector>

#include "app/session/sass/access_changes.h"
#include "app/session/sass/access_groups.h"
#include "app/session/sass/access_sites.h"

namespace lanescope {

/// Every counter of Nsight Compute that the simulator predicts, of the text and of the machine code, whose
/// lines `comparison` has.
std::vector<CounterChange> counterChanges(const AccessReport& report, const AccessComparison& comparison,
                                          const AccessGroups& groups);

}  // namespace lanescope
