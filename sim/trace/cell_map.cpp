#include "sim/trace/cell_map.h"

#include <algorithm>
#include <cstring>

#include "sim/memory/address.h"

namespace lanescope {

CellMap::CellMap(const MemoryView& memory) : memory_(memory) {
  sharedCells_ = static_cast<std::uint32_t>((memory.shared.size() + 3) / 4);
  count_ = sharedCells_;
  for (const auto buffer : memory.buffers) {
    firsts_.push_back(count_);
    count_ += static_cast<std::uint32_t>((buffer.size() + 3) / 4);
  }
}

std::uint32_t CellMap::findCell(std::uint64_t address) const {
  const auto word = static_cast<std::uint32_t>((address & kOffsetMask) / 4);
  return isShared(address) ? word : firsts_[(address >> kOffsetBits) - 1] + word;
}

std::optional<std::uint32_t> CellMap::findKnownCell(std::uint64_t address) const {
  const std::uint64_t word = (address & kOffsetMask) / 4;
  const std::uint64_t buffer = address >> kOffsetBits;
  if (isShared(address)) return word < sharedCells_ ? std::optional(findCell(address)) : std::nullopt;
  if (isLocal(address) || buffer == 0 || buffer > firsts_.size()) return std::nullopt;
  return word * 4 < memory_.buffers[buffer - 1].size() ? std::optional(findCell(address)) : std::nullopt;
}

std::uint32_t CellMap::computeBits(std::uint32_t cell) const {
  std::span<const std::byte> bytes = memory_.shared;
  std::size_t offset = std::size_t{cell} * 4;
  for (std::size_t b = 0; b < firsts_.size() && cell >= firsts_[b]; ++b) {
    bytes = memory_.buffers[b];
    offset = std::size_t{cell - firsts_[b]} * 4;
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset, std::min<std::size_t>(4, bytes.size() - offset));
  return bits;
}

}  // namespace lanescope
