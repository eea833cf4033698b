#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/machine/run/observer.h"

namespace lanescope {

/// The sectors of global memory that a launch touches, and how: the least traffic, whatever the caches do.
/// Listens to every block of a launch.
class Footprint final : public Observer {
 public:
  static constexpr std::uint64_t kSectorBytes = 32;

  void happened(const WarpState& warp, const Instruction& i, const Event& event) override;

  /// Different sectors with a read as the first access: a load, or an atomic. With cold caches, each of them
  /// has to come from DRAM once.
  std::uint64_t readSectors() const { return counts_[kRead]; }
  /// Different sectors that a store or an atomic changes.
  std::uint64_t writtenSectors() const { return counts_[kWritten]; }

 private:
  enum Mark : std::uint8_t { kRead, kWritten };
  void mark(std::uint64_t address, AccessKind kind);

  std::vector<std::vector<std::uint8_t>> marks_;  ///< by buffer and sector: a bit for each Mark
  std::array<std::uint64_t, 2> counts_{};
};

}  // namespace lanescope
