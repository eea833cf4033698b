#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::lane {

/// A word of the state that cuRAND's curand_init gives an XORWOW generator: v[0] to v[4], and 5 for d. The
/// numbers of a seed are one sequence; `sequence` begins 2^67 numbers behind the one before it, and `offset`
/// numbers of it are left out.
std::uint32_t xorwowWord(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset, std::size_t word);

}  // namespace lanescope::lane
