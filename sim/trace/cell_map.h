#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/machine/run/warp_state.h"

namespace lanescope {

/// Numbers the 4-byte words that a block can reach, its cells: shared memory's first, then each buffer's.
class CellMap {
 public:
  CellMap() = default;
  explicit CellMap(const MemoryView& memory);

  std::uint32_t sharedCells() const { return sharedCells_; }
  std::uint32_t count() const { return count_; }
  /// A buffer's first cell.
  std::uint32_t findFirst(std::size_t buffer) const { return firsts_[buffer]; }
  /// The cell of an address that an access has reached.
  std::uint32_t findCell(std::uint64_t address) const;
  /// The cell of any address; nullopt if there is none, as out of bounds.
  std::optional<std::uint32_t> findKnownCell(std::uint64_t address) const;
  /// The bits that a cell holds.
  std::uint32_t computeBits(std::uint32_t cell) const;

 private:
  MemoryView memory_;
  std::vector<std::uint32_t> firsts_;  ///< by buffer
  std::uint32_t sharedCells_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace lanescope
