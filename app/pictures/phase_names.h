#pragma once

#include <string>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// The name of each phase in pictures: a step by the variable of the kernel that holds its size and its
/// value, `k = 4`, as in the source. Other phases, and steps before that variable has a value, have their
/// labels.
std::vector<std::string> phaseNames(const Trace& trace);

}  // namespace lanescope
