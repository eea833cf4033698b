#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::lane {

/// A word of the state that cuRAND's curand_init gives an XORWOW generator: v[0] to v[4], and 5 for d.
/// `sequence` counts subsequences of the seed's numbers, each 2^67 long; `offset` numbers of it are skipped.
std::uint32_t xorwowWord(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset, std::size_t word);

}  // namespace lanescope::lane
