#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope {

/// The most lanes per warp. A register holds this many consecutive values.
inline constexpr unsigned kMaxLanes = 32;

/// The rule by which a machine's banks serve a request. sim/memory/shared_banks.h has the full rules.
enum class SharedRule : std::uint8_t {
  Measured,      ///< as counted on an NVIDIA H200: a bank's word goes to all lanes that request it,
                 ///< vectorized loads merge
  Multicast,     ///< a bank's word goes to all lanes that request it
  OneBroadcast,  ///< compute capability 1.x: only one word at a time goes to several lanes
};

/// The rule by which a request on global memory becomes transfers. sim/memory/global_sectors.h has the full
/// rules.
enum class GlobalRule : std::uint8_t {
  Sectors,            ///< each sector touched once
  InOrderOrOneByOne,  ///< compute capability 1.0: lane k at word k of a segment, or one transfer per lane
};

/// The numbers of a machine that the rules depend on. Machines are data: see machinePresets().
struct MachineModel {
  std::string_view name;
  std::string_view description;  ///< one line for a menu
  unsigned warpSize = 32;        ///< lanes, at most kMaxLanes
  unsigned banks = 32;           ///< shared-memory banks
  unsigned bankBytes = 4;        ///< width of a bank's word
  unsigned sectorBytes = 32;     ///< global memory's unit of transfer
  unsigned requestLanes = 32;    ///< lanes whose accesses go to memory together: a warp or a half of it
  SharedRule sharedRule = SharedRule::Measured;
  GlobalRule globalRule = GlobalRule::Sectors;

  bool operator==(const MachineModel& other) const { return name == other.name; }
};

/// `nvidia` first: 32 lanes, 32 banks of 4 bytes, 32-byte sectors. Then the machines of textbooks: `tiny`,
/// the drawing of eight elements; `g80`, compute capability 1.0, and `kepler64`, compute capability 3.x with
/// 64-bit banks, as the CUDA C Programming Guide's appendices G.3 and G.5 (version 4.2) describe them;
/// `eight`, the drawing with eight banks. Its half-warps are as wide as its banks, like the G80's: only then
/// does sequential addressing have no conflicts there.
std::span<const MachineModel> machinePresets();

/// The preset of that name, or nullptr.
const MachineModel* findMachine(std::string_view name);

}  // namespace lanescope
