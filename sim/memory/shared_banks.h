#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/machine_model.h"

namespace lanescope {

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

/// One warp instruction on shared memory: byte addresses by lane, the lanes that take part, and the
/// bytes each lane moves (1, 2, 4, 8 or 16).
struct SharedRequest {
  std::span<const std::uint32_t> addresses;  ///< one a lane; those of inactive lanes are ignored
  std::uint32_t mask = 0;
  unsigned bytes = 4;
  AccessKind kind = AccessKind::Load;
  bool isResultUsed = false;  ///< Atomic: lanes on one word are then served one by one
  unsigned operands = 1;      ///< Atomic: a compare-and-swap has two
};

struct SharedCost {
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;  ///< what the same bytes would cost without conflicts
};

/// Wavefronts of one request. Rule, measured on an NVIDIA H200 (sim/tests/data/README.md):
/// 32-bit or narrower: the most different words asked of one bank; 64-bit: by half-warps, which merge
/// for loads when every active lane's neighbour at distance 1 (or 2) is inactive or has its address;
/// 128-bit: by quarter-warps, the two quarters of a half merging under the same test. An atomic whose
/// result is used takes a pass for each lane on the same word as well; a compare-and-swap takes every
/// pass twice, once for each operand.
SharedCost sharedCost(const MachineModel& machine, const SharedRequest& request);

/// One pass over the banks: the lanes served by it.
struct BankPass {
  std::uint32_t lanes = 0;
};

/// The passes of a request of 32-bit or narrower words, in order; as many as its wavefronts. In pass
/// p every bank serves the p-th different word that was asked of it, words ordered by first lane.
std::vector<BankPass> bankPasses(const MachineModel& machine, const SharedRequest& request);

}  // namespace lanescope
