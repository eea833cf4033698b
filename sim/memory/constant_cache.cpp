#include "sim/memory/constant_cache.h"

#include <algorithm>
#include <array>
#include <bit>

#include "sim/memory/machine_model.h"

namespace lanescope {

std::uint32_t constantAddresses(std::span<const std::uint64_t> addresses, std::uint32_t mask) {
  std::array<std::uint64_t, kMaxLanes> asked;
  std::size_t used = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    asked[used++] = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
  const auto end = asked.begin() + static_cast<std::ptrdiff_t>(used);
  std::sort(asked.begin(), end);
  return static_cast<std::uint32_t>(std::unique(asked.begin(), end) - asked.begin());
}

}  // namespace lanescope
