#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace/replay.h"

namespace lanescope {

/// What the picture of the banks needs of a trace.
struct BankPlan {
  std::uint32_t words = 0;               ///< of shared memory, in use
  std::vector<std::int32_t> cellOfWord;  ///< -1: padding
  std::vector<std::uint32_t>
      busiest;  ///< shared accesses that take as many wavefronts as any before in the phase
  std::vector<std::uint32_t> widest;    ///< global ones that move as many sectors as any before in it
  std::vector<std::uint32_t> shuffles;  ///< steps

  /// The last of those steps before the cursor, where it is in that phase; or nothing.
  static std::optional<std::uint32_t> lastOf(const std::vector<std::uint32_t>& steps, const Phase& phase,
                                             Cursor cursor);
};

BankPlan planBanks(const Trace& trace);

}  // namespace lanescope
