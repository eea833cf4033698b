#include "sim/machine/machine_model.h"

#include <array>

namespace lanescope {

std::span<const MachineModel> machinePresets() {
  static constexpr std::array kPresets = {
      MachineModel{"nvidia", "32 lanes, 32 banks", 32, 32, 4, 32},
      MachineModel{"tiny", "2 lanes, 2 banks", 2, 2, 4, 8},
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
