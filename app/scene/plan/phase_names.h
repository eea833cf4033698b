#pragma once

#include <string>
#include <vector>

#include "sim/trace/trace.h"

namespace lanescope {

/// What each phase is called in pictures: a step by the variable of the kernel that holds its size and its
/// value, `k = 4`, as a reader finds it in the source; others, and steps before that variable has a value, by
/// their labels.
std::vector<std::string> phaseNames(const Trace& trace);

}  // namespace lanescope
