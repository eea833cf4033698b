#pragma once

namespace lanescope {

/// Runs every strategy that is written for several operators, with each, over several N, block sizes and
/// types of element, and compares with the host's; prints a line an operator. Returns how many were wrong.
int runOperators();

}  // namespace lanescope
