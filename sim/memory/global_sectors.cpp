#include "sim/memory/global_sectors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace lanescope {
namespace {

/// True if every lane k in `lanes` of the half-warp at `first` is at word k of an aligned segment.
bool isInOrder(const MachineModel& machine, std::span<const std::uint64_t> addresses, std::uint32_t lanes,
               std::uint32_t first, unsigned bytes) {
  if (bytes < 4) return false;
  const auto anyLane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const std::uint64_t offset = std::uint64_t{anyLane - first} * bytes;
  const std::uint64_t segment = std::min<std::uint64_t>(std::uint64_t{machine.requestLanes} * bytes, 128);
  if (addresses[anyLane] < offset || (addresses[anyLane] - offset) % segment != 0) return false;
  const std::uint64_t base = addresses[anyLane] - offset;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (addresses[lane] != base + std::uint64_t{lane - first} * bytes) return false;
  }
  return true;
}

std::uint32_t transfersInOrderOrOneByOne(const MachineModel& machine,
                                         std::span<const std::uint64_t> addresses, std::uint32_t mask,
                                         unsigned bytes) {
  std::uint32_t sectors = 0;
  const std::uint32_t half = machine.requestLanes >= 32 ? ~0u : (1u << machine.requestLanes) - 1;
  for (std::uint32_t first = 0; first < machine.warpSize; first += machine.requestLanes) {
    const std::uint32_t lanes = mask & (half << first);
    if (lanes == 0) continue;
    sectors += isInOrder(machine, addresses, lanes, first, bytes)
                   ? machine.requestLanes * bytes / machine.sectorBytes
                   : static_cast<std::uint32_t>(std::popcount(lanes));
  }
  return sectors;
}

}  // namespace

std::uint32_t globalSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                            std::uint32_t mask, unsigned bytes) {
  if (machine.globalRule == GlobalRule::InOrderOrOneByOne)
    return transfersInOrderOrOneByOne(machine, addresses, mask, bytes);
  const std::uint64_t size = machine.sectorBytes;
  // Lanes' addresses mostly rise: then a sector is new exactly if it is past the last one.
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
