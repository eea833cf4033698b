#pragma once

#include <array>
#include <bit>

#include "sim/machine/run/warp_state.h"
#include "sim/memory/global_sectors.h"
#include "sim/memory/shared_banks.h"

/// The most common access in kernels: lane l at some address + l * its size.
namespace lanescope {

/// True when every lane, active or not, has lane 0's value.
inline bool isUniform(const LaneU64* values) {
  std::uint64_t differing = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) differing |= values[lane] ^ values[0];
  return differing == 0;
}

/// True when lane l, active or not, has lane 0's value + l.
inline bool isConsecutive(const LaneU32* values) {
  const std::uint32_t first = values[0];
  std::uint32_t differing = 0;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) differing |= (values[lane] - lane) ^ first;
  return differing == 0;
}

inline bool isContiguous(std::uint32_t mask) {
  const std::uint32_t low = mask >> std::countr_zero(mask);
  return (low & (low + 1)) == 0;
}

/// The costs of such accesses on a machine, computed without a loop over the lanes. The rules stay in
/// sharedCost and globalSectors: if a probe of them disagrees, this class is not used.
class UnitCosts {
 public:
  /// Without `isProbing` nothing applies.
  UnitCosts(const MachineModel& machine, bool isProbing) : sectorBytes_(machine.sectorBytes) {
    if (!isProbing) return;
    isSharedFree_ = machine.warpSize == kMaxLanes && probeShared(machine);
    isSectorCount_ = std::has_single_bit(sectorBytes_) && probeGlobal(machine);
  }

  /// 4 bytes per lane in shared memory: one wavefront for any mask and alignment.
  bool isSharedFree() const { return isSharedFree_; }
  /// True if the sectors are all those from the first byte to the last.
  bool isSectorCount() const { return isSectorCount_; }
  std::uint32_t sectors(std::uint64_t firstByte, std::uint64_t lastByte) const {
    const auto shift = static_cast<unsigned>(std::countr_zero(sectorBytes_));
    return static_cast<std::uint32_t>((lastByte >> shift) - (firstByte >> shift) + 1);
  }

 private:
  static bool probeShared(const MachineModel& machine) {
    std::array<std::uint32_t, kMaxLanes> addresses;
    for (std::uint32_t start = 0; start < kMaxLanes; ++start) {
      for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) addresses[lane] = 4 * (start + lane);
      for (const AccessKind kind : {AccessKind::Load, AccessKind::Store}) {
        const SharedCost cost = sharedCost(machine, {addresses, ~0u, 4, kind});
        if (cost.wavefronts != 1 || cost.ideal != 1) return false;
      }
    }
    return true;
  }
  bool probeGlobal(const MachineModel& machine) const {
    std::array<std::uint64_t, kMaxLanes> addresses;
    for (const unsigned bytes : {4u, 8u}) {
      for (std::uint64_t start = 0; start < 256; start += bytes) {
        for (unsigned lane = 0; lane < kMaxLanes; ++lane)
          addresses[lane] = start + std::uint64_t{bytes} * lane;
        for (const std::uint32_t mask : {~0u, 0xffffu, 0x7u, 0x10000u, 0xff000000u}) {
          const unsigned low = static_cast<unsigned>(std::countr_zero(mask));
          const unsigned high = 31 - static_cast<unsigned>(std::countl_zero(mask));
          if (globalSectors(machine, addresses, mask, bytes) !=
              sectors(addresses[low], addresses[high] + bytes - 1))
            return false;
        }
      }
    }
    return true;
  }

  std::uint32_t sectorBytes_;
  bool isSharedFree_ = false;
  bool isSectorCount_ = false;
};

}  // namespace lanescope
