#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/memory/machine_model.h"

namespace lanescope {

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

/// What an atomic on shared memory becomes on an NVIDIA H200, by its SASS instructions.
enum class SharedAtomic : std::uint8_t {
  Increment,    ///< ATOMS.POPC.INC: adds the constant 1 to 32 bits, and nobody asks for the old value
  Native,       ///< ATOMS.ADD, .MAX, .EXCH and so on: integers of 32 bits, exchanges
  CompareSwap,  ///< ATOMS.CAS
  Loop,         ///< LDS and ATOMS.CAST.SPIN until every lane's went through: floats, 64-bit arithmetic
  NarrowLoop,   ///< LDS, then ATOMS.CAS on the word around it until every lane's went through: 16 bits
};

/// One warp instruction on shared memory: byte addresses by lane, the lanes that take part, and the
/// bytes each lane moves (1, 2, 4, 8 or 16).
struct SharedRequest {
  std::span<const std::uint32_t> addresses;  ///< one a lane; those of inactive lanes are ignored
  std::uint32_t mask = 0;
  unsigned bytes = 4;
  AccessKind kind = AccessKind::Load;
  SharedAtomic atomic = SharedAtomic::Native;  ///< Atomic
};

struct SharedCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;  ///< what the same bytes would cost without conflicts
  std::uint32_t loads = 0;  ///< those of the wavefronts that an atomic's loop takes to load
};

/// Whether the machine does that atomic in a loop.
bool isLoop(const MachineModel& machine, SharedAtomic atomic);

/// Wavefronts of one request, by the machine's rule.
///
/// Measured, on an NVIDIA H200 (sim/tests/data/README.md): words of a bank's width or narrower cost the
/// most different words asked of one bank; 64-bit: by half-warps; 128-bit: by quarter-warps. Two halves, or
/// the two quarters of a half, merge for loads when of their active lanes every one's neighbour at distance 1
/// (or every one's at distance 2) is inactive or has its address, and they have no conflict together.
///
/// Multicast: the same without merging; `requestLanes` lanes go together, or as many as fill one row of
/// the banks. With 64-bit banks it is the 64-bit mode of compute capability 3.x (CUDA C Programming
/// Guide 4.2, G.5.3.1): lanes within one 64-bit word never conflict. The guide gives 128-bit accesses
/// no rule there: taken to go by half-warps.
///
/// OneBroadcast, compute capability 1.x (same guide, G.3.3): half-warps go one after the other. A read
/// takes steps: in each, the broadcast word serves every lane that is within it, and every other bank
/// serves one lane. The guide leaves open which word is broadcast; here it is that of the lowest lane
/// not yet served. In a store, lanes at one address count once. A 64-bit access is two requests of
/// 32 bits, a 128-bit access four. The guide gives shared atomics no cost: one lane a bank and step.
///
/// Atomics, measured: an increment costs what a store does. A native one takes a wavefront for each lane on
/// the same bank, of 64 bits by half-warps; a compare-and-swap takes every wavefront twice, once for each
/// operand. Of a loop each iteration is a load by the lanes that are not done and two wavefronts (64 bits:
/// two for each half-warp), and ends the lowest lane of each bank; where both halves of a 64-bit one update a
/// word, the second half's lane goes on. Taken for granted: each update changes its word. A narrow loop loads
/// once; each iteration is a compare-and-swap and ends the lowest lane of each word. On machines other than
/// the measured ones loops count as native: nothing documents them.
SharedCost sharedCost(const MachineModel& machine, const SharedRequest& request);

/// One compare-and-swap of a loop (ATOMS.CAST.SPIN) on the measured machine: its cost; `through` are then the
/// lanes whose update went through, the lowest of each bank.
SharedCost spinCost(const MachineModel& machine, const SharedRequest& request, std::uint32_t& through);

/// One wavefront over the banks: the lanes it serves. A lane that moves several words may need several
/// wavefronts, and is then in each that serves one of them.
struct BankWavefront {
  std::uint32_t lanes = 0;
  std::uint32_t group = 0;           ///< number of the first wavefront over which the same lanes go together
  std::vector<std::uint32_t> words;  ///< by number, a bank's width each, sorted; of one bank at most one
};

/// The wavefronts of a request, in order: as many as sharedCost()'s wavefronts. Groups of lanes that go to
/// the banks serially have wavefronts of their own. In wavefront p of a group every bank serves
/// the p-th different word that was asked of it, words ordered by first lane.
std::vector<BankWavefront> bankWavefronts(const MachineModel& machine, const SharedRequest& request);

}  // namespace lanescope
