#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope {

/// Calls `f` with each lane of a mask, in rising order.
template <class F>
void forEachLane(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

// The limits of a launch: compute capability 9.0, CUDA Programming Guide, "Features and Technical
// Specifications".

inline constexpr std::uint32_t kMaxBlockThreads = 1024;
inline constexpr std::uint32_t kMaxBlockZ = 64;
inline constexpr std::uint64_t kMaxGridX = 0x7fffffff;
inline constexpr std::uint64_t kMaxGridYZ = 65535;
inline constexpr std::uint64_t kMaxSharedBytes = 227 * 1024;  ///< per block

inline constexpr const char* kBlockLimitsText = "A block has 1 to 1,024 threads, at most 64 deep.";

/// The most lanes per warp. A register holds this many consecutive values.
inline constexpr unsigned kMaxLanes = 32;

/// The rule by which a machine's banks serve a request. sim/memory/access_costs.h has the full rules.
enum class SharedRule : std::uint8_t {
  Measured,      ///< as counted on an NVIDIA H200: a bank's word goes to all lanes that request it,
                 ///< vectorized loads merge
  Multicast,     ///< a bank's word goes to all lanes that request it
  OneBroadcast,  ///< compute capability 1.x: only one word at a time goes to several lanes
};

/// The rule by which a request on global memory becomes transfers. sim/memory/access_costs.h has the full
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

/// The limits of a streaming multiprocessor (SM) of a compute capability.
struct SmLimits {
  std::string_view capability;  ///< `9.0`
  std::uint32_t threads = 0;    ///< warps of 32
  std::uint32_t blocks = 0;
  std::uint32_t registers = 0;          ///< of 32 bits
  std::uint32_t sharedBytes = 0;        ///< the largest share of the L1 cache's memory
  std::uint32_t reservedBytes = 0;      ///< of shared memory, which every block uses besides its own
  std::uint32_t sharedGranule = 0;      ///< bytes: shared memory is allocated in multiples
  std::uint32_t registerGranule = 256;  ///< registers, per warp
  std::uint32_t partitions = 4;         ///< that share the registers evenly; a warp's are all in one
};

/// The limits of that compute capability (`9.0`; from 7.0 on), or nullptr. CUDA C++ Programming Guide 13.0,
/// "Compute Capabilities": technical specifications; granules as in CUDA 13.0's cuda_occupancy.h.
const SmLimits* findSmLimits(std::string_view capability);

/// The resources that a block needs from an SM.
struct BlockDemand {
  std::uint64_t threads = 1;
  std::uint64_t sharedBytes = 0;             ///< static and dynamic
  std::optional<std::uint32_t> registers{};  ///< per thread; empty if unknown
};

/// The most blocks by each limit. 0: not even one fits.
struct Occupancy {
  std::uint64_t byThreads = 0;
  std::uint64_t byBlocks = 0;
  std::optional<std::uint64_t> byShared{};     ///< empty: the block takes no shared memory
  std::optional<std::uint64_t> byRegisters{};  ///< empty if the block's registers are unknown

  /// Blocks on an SM at once.
  std::uint64_t blocks() const {
    const std::uint64_t least = std::min(byThreads, byBlocks);
    return std::min({least, byShared.value_or(least), byRegisters.value_or(least)});
  }
};

/// The documented rule, not a measurement: threads count as whole warps of 32, registers are allocated per
/// warp, shared memory per block. An SM whose other limits leave room holds that many blocks at most.
Occupancy computeOccupancy(const BlockDemand& block, const SmLimits& limits);

}  // namespace lanescope
