#pragma once

#include <span>
#include <string_view>

namespace lanescope {

/// Lanes a warp can have at most; a register holds this many values side by side.
inline constexpr unsigned kMaxLanes = 32;

/// The numbers of a machine that the rules depend on. Machines are data: see machinePresets().
struct MachineModel {
  std::string_view name;
  std::string_view description;  ///< one line for a menu
  unsigned warpSize = 32;        ///< lanes, at most kMaxLanes
  unsigned banks = 32;           ///< shared-memory banks
  unsigned bankBytes = 4;        ///< width of a bank's word
  unsigned sectorBytes = 32;     ///< global memory's unit of transfer

  bool operator==(const MachineModel& other) const { return name == other.name; }
};

/// `nvidia` (32 lanes, 32 banks of 4 bytes, 32-byte sectors) first, then the textbook machines.
std::span<const MachineModel> machinePresets();

/// The preset of that name, or nullptr.
const MachineModel* findMachine(std::string_view name);

}  // namespace lanescope
