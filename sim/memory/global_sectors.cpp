#include "sim/memory/global_sectors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace lanescope {

std::uint32_t globalSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                            std::uint32_t mask, unsigned bytes) {
  const std::uint64_t size = machine.sectorBytes;
  // Lanes mostly ask in rising order: then a sector is new exactly when it is past the last one.
  std::uint64_t last = 0;
  std::uint32_t count = 0;
  bool rising = true;
  for (std::uint32_t rest = mask; rest != 0 && rising; rest &= rest - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    const std::uint64_t begin = address / size;
    const std::uint64_t end = (address + bytes - 1) / size + 1;
    if (begin + 1 < last) rising = false;
    if (end > last) {
      count += static_cast<std::uint32_t>(end - std::max(begin, last));
      last = end;
    }
  }
  if (rising) return count;

  std::array<std::uint64_t, 2 * kMaxLanes> sectors;
  std::size_t used = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(rest))];
    sectors[used++] = address / size;
    sectors[used++] = (address + bytes - 1) / size;
  }
  std::sort(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(used));
  return static_cast<std::uint32_t>(
      std::unique(sectors.begin(), sectors.begin() + static_cast<std::ptrdiff_t>(used)) - sectors.begin());
}

std::uint32_t reductionSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                               std::uint32_t mask, unsigned bytes) {
  std::array<std::uint64_t, kMaxLanes> words;
  std::size_t used = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    words[used++] = addresses[static_cast<std::size_t>(std::countr_zero(rest))] / bytes;
  std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(used));
  std::uint32_t total = 0;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < used;) {
    std::size_t end = i;
    while (end < used && words[end] == words[i]) ++end;
    most = std::max(most, static_cast<std::uint32_t>(end - i));
    const bool sectorEnds =
        end == used || words[end] * bytes / machine.sectorBytes != words[i] * bytes / machine.sectorBytes;
    if (sectorEnds) total += std::exchange(most, 0);
    i = end;
  }
  return total;
}

}  // namespace lanescope
