#pragma once

#include <cstddef>
#include <cstdint>

namespace lanescope::lane {

/// A word of the state that cuRAND's curand_init gives an XORWOW generator: v[0] to v[4], and 5 for d.
/// `sequence` counts subsequences of the seed's numbers, each 2^67 long; `offset` numbers of it are skipped.
std::uint32_t xorwowWord(std::uint64_t seed, std::uint64_t sequence, std::uint64_t offset, std::size_t word);

/// A word of the state after `times` * 2^power steps, from a state that is 0 but for two words, v[first] (the
/// low half of `words`) and the next. `place`: first << 16 | the requested word << 8 | power, which is at
/// most 67.
std::uint32_t xorwowAdvanced(std::uint64_t words, std::uint64_t times, std::uint64_t place);

}  // namespace lanescope::lane
