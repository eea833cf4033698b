#pragma once

#include <bit>
#include <cstdint>

namespace lanescope {

/// Calls `f` with each lane of a mask, in rising order.
template <class F>
void forEachLane(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

}  // namespace lanescope
