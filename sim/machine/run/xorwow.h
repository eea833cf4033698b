#pragma once

#include <cstdint>

namespace lanescope::lane {

/// A word of the state that cuRAND's curand_init gives an XORWOW generator: v[0] to v[4], and 5 for d. The
/// numbers of a seed are one sequence; `sequence` begins 2^67 numbers behind the one before it. `place` is
/// the number of the word and 8 times how many numbers are left out (of these, 61 bits count).
std::uint32_t xorwowWord(std::uint64_t seed, std::uint64_t sequence, std::uint64_t place);

}  // namespace lanescope::lane
