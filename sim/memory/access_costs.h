#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/counters.h"
#include "sim/memory/machine_model.h"

/// The cost of a warp's accesses: wavefronts of shared memory, sectors of global memory, addresses of
/// constant memory.
namespace lanescope {

/// The SASS instructions of an atomic on shared memory on an NVIDIA H200.
enum class SharedAtomic : std::uint8_t {
  Increment,    ///< ATOMS.POPC.INC: adds the constant 1 to 32 bits, with an unused old value
  Native,       ///< ATOMS.ADD, .MAX, .EXCH and so on: integers of 32 bits, exchanges
  CompareSwap,  ///< ATOMS.CAS
  Loop,         ///< LDS and ATOMS.CAST.SPIN until every lane's update succeeds: floats, 64-bit arithmetic
  NarrowLoop,   ///< LDS, then ATOMS.CAS on the word around it until every lane's update succeeds: 16 bits
};

/// One warp instruction on shared memory: byte addresses by lane, the active lanes, and the bytes each lane
/// moves (1, 2, 4, 8 or 16).
struct SharedRequest {
  std::span<const std::uint32_t> addresses;  ///< one per lane; those of inactive lanes are ignored
  std::uint32_t mask = 0;
  unsigned bytes = 4;
  AccessKind kind = AccessKind::Load;
  SharedAtomic atomic = SharedAtomic::Native;  ///< Atomic
};

struct SharedCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;  ///< the cost of the same bytes without conflicts
  std::uint32_t loads = 0;  ///< of the wavefronts, the loads in an atomic's loop
};

/// True if the machine runs that atomic in a loop.
bool isLoop(const MachineModel& machine, SharedAtomic atomic);

/// Wavefronts of one request, by the machine's rule.
///
/// Measured, on an NVIDIA H200 (sim/tests/data/README.md): words of a bank's width or narrower cost the most
/// different words requested from one bank; 64-bit: by half-warps; 128-bit: by quarter-warps. Two halves, or
/// the two quarters of a half, merge for loads if they have no conflict together and, at distance 1 or at
/// distance 2, the neighbour of every active lane is inactive or has that lane's address.
///
/// Multicast: the same without merging. `requestLanes` lanes are served together, or as many as fill one row
/// of the banks. With 64-bit banks it is the 64-bit mode of compute capability 3.x (CUDA C Programming Guide
/// 4.2, G.5.3.1): lanes within one 64-bit word never conflict. The guide gives no rule for 128-bit accesses
/// there. They are assumed to go by half-warps.
///
/// OneBroadcast, compute capability 1.x (same guide, G.3.3): half-warps are serialized. A read takes steps:
/// in each, the broadcast word serves every lane that is within it, and every other bank serves one lane. The
/// guide does not say which word is broadcast; here it is that of the lowest lane not yet served. In a store,
/// lanes at one address count once. A 64-bit access is two requests of 32 bits, a 128-bit access four. The
/// guide gives no cost for shared atomics: one lane per bank and step.
///
/// Atomics, measured: an increment costs the same as a store. A native one takes one wavefront for each lane
/// on the same bank, for 64 bits by half-warps. A compare-and-swap takes every wavefront twice, once for each
/// operand. In a loop, each iteration is a load by the lanes that are not done and two wavefronts (64 bits:
/// two for each half-warp), and completes the lowest lane of each bank. If both halves of a 64-bit one update
/// a word, the second half's lane continues. Assumption: each update changes its word. A narrow loop loads
/// once. Each iteration is a compare-and-swap and completes the lowest lane of each word. On machines other
/// than the measured ones loops count as native: their rule is not documented.
SharedCost sharedCost(const MachineModel& machine, const SharedRequest& request);

/// One compare-and-swap of a loop (ATOMS.CAST.SPIN) on the measured machine: its cost. `through` is set to
/// the lanes whose update succeeded, the lowest of each bank.
SharedCost spinCost(const MachineModel& machine, const SharedRequest& request, std::uint32_t& through);

/// One wavefront over the banks: the lanes it serves. A lane that moves several words may need several
/// wavefronts. It is then in each that serves one of its words.
struct BankWavefront {
  std::uint32_t lanes = 0;
  std::uint32_t group = 0;           ///< number of the first wavefront of the same group of lanes
  std::vector<std::uint32_t> words;  ///< by number, each as wide as a bank, sorted; at most one per bank
};

/// The wavefronts of a request, in order: as many as sharedCost()'s wavefronts. Groups of lanes that are
/// serialized have separate wavefronts. In wavefront p of a group every bank serves the p-th different word
/// that was requested from it, with words ordered by first lane.
std::vector<BankWavefront> bankWavefronts(const MachineModel& machine, const SharedRequest& request);

/// Sectors of one warp instruction on global memory: units of `sectorBytes` that are moved for the active
/// lanes' accesses of `bytes` each. `addresses` has one entry per lane.
///
/// Sectors: the different, aligned segments that the accesses touch (CUDA Programming Guide, "Device Memory
/// Accesses"; measured on an NVIDIA H200).
///
/// InOrderOrOneByOne, compute capability 1.0 and 1.1 (CUDA C Programming Guide 4.2, G.3.2.1): half-warps are
/// serialized. If words are of 4, 8 or 16 bytes and lane k of the half is at word k from an aligned segment's
/// start (64 bytes, 128, and two of 128), the whole segment is moved, even if lanes are inactive. Otherwise
/// each active lane's access is a separate transfer of 32 bytes.
std::uint32_t globalSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                            std::uint32_t mask, unsigned bytes);

/// Sectors of one warp instruction that is a reduction on global memory: for each sector touched, as many
/// wavefronts as the most lanes that access one word of `bytes` in it. Measured on an NVIDIA H200, and
/// applied on every machine (compute capability 1.0 has no atomics).
std::uint32_t reductionSectors(const MachineModel& machine, std::span<const std::uint64_t> addresses,
                               std::uint32_t mask, unsigned bytes);

/// Different addresses that the active lanes of one warp instruction read in constant memory: 1 is a
/// broadcast, several are serialized (CUDA Programming Guide, "Constant Memory"). `addresses` has one entry
/// per lane.
std::uint32_t constantAddresses(std::span<const std::uint64_t> addresses, std::uint32_t mask);

}  // namespace lanescope
