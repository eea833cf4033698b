#include "sim/memory/machine_model.h"

#include <array>

namespace lanescope {

std::span<const MachineModel> machinePresets() {
  static constexpr std::array kPresets = {
      MachineModel{"nvidia", "32 lanes, 32 banks", 32, 32, 4, 32},
      MachineModel{"tiny", "2 lanes, 2 banks", 2, 2, 4, 8, 2},
      MachineModel{"g80", "32 lanes, 16 banks, by half-warps", 32, 16, 4, 32, 16, SharedRule::OneBroadcast,
                   GlobalRule::InOrderOrOneByOne},
      MachineModel{"kepler64", "32 lanes, 32 banks of 8 bytes", 32, 32, 8, 32, 32, SharedRule::Multicast},
      MachineModel{"eight", "16 lanes, 8 banks, by half-warps", 16, 8, 4, 32, 8, SharedRule::Multicast},
  };
  return kPresets;
}

const MachineModel* findMachine(std::string_view name) {
  for (const MachineModel& machine : machinePresets()) {
    if (machine.name == name) return &machine;
  }
  return nullptr;
}

namespace {

constexpr std::uint32_t kWarp = 32;
constexpr std::uint32_t kKilobyte = 1024;
constexpr std::uint32_t kRegisters = 65536;

constexpr std::array kLimits = {
    SmLimits{"7.0", 2048, 32, kRegisters, 96 * kKilobyte, 0, 256},
    SmLimits{"7.5", 1024, 16, kRegisters, 64 * kKilobyte, 0, 256},
    SmLimits{"8.0", 2048, 32, kRegisters, 164 * kKilobyte, kKilobyte, 128},
    SmLimits{"8.6", 1536, 16, kRegisters, 100 * kKilobyte, kKilobyte, 128},
    SmLimits{"8.9", 1536, 24, kRegisters, 100 * kKilobyte, kKilobyte, 128},
    SmLimits{"9.0", 2048, 32, kRegisters, 228 * kKilobyte, kKilobyte, 128},
    SmLimits{"10.0", 2048, 32, kRegisters, 228 * kKilobyte, kKilobyte, 128},
    SmLimits{"12.0", 1536, 24, kRegisters, 100 * kKilobyte, kKilobyte, 128},
};

constexpr std::uint64_t roundedUp(std::uint64_t value, std::uint64_t granule) {
  return (value + granule - 1) / granule * granule;
}

}  // namespace

const SmLimits* findSmLimits(std::string_view capability) {
  const auto* found = std::ranges::find(kLimits, capability, &SmLimits::capability);
  return found == kLimits.end() ? nullptr : found;
}

Occupancy computeOccupancy(const BlockDemand& block, const SmLimits& limits) {
  const std::uint64_t warps = std::max<std::uint64_t>((block.threads + kWarp - 1) / kWarp, 1);
  Occupancy occupancy;
  occupancy.byThreads = limits.threads / kWarp / warps;
  occupancy.byBlocks = limits.blocks;
  if (block.sharedBytes > 0)
    occupancy.byShared =
        limits.sharedBytes / roundedUp(block.sharedBytes + limits.reservedBytes, limits.sharedGranule);
  if (block.registers && *block.registers > 0) {
    const std::uint64_t ofWarp = roundedUp(std::uint64_t{*block.registers} * kWarp, limits.registerGranule);
    const std::uint64_t ofBlock = ofWarp * roundedUp(warps, limits.partitions);
    const std::uint64_t fitting = limits.registers / limits.partitions / ofWarp * limits.partitions;
    occupancy.byRegisters = ofBlock > limits.registers ? 0 : fitting / warps;
  }
  return occupancy;
}

}  // namespace lanescope
