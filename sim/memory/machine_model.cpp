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

}  // namespace lanescope
