#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/trace/replay.h"

namespace lanescope {

/// The data about a trace that the picture of the banks needs.
struct BankPlan {
  std::uint32_t words = 0;               ///< words of shared memory in use
  std::vector<std::int32_t> cellOfWord;  ///< -1: padding
  std::vector<std::uint32_t>
      busiest;  ///< shared accesses that take at least as many wavefronts as any earlier one in the phase
  std::vector<std::uint32_t> widest;    ///< global accesses: likewise, by sectors moved
  std::vector<std::uint32_t> shuffles;  ///< steps

  /// The last of those steps before the cursor if it is in that phase; else empty.
  static std::optional<std::uint32_t> findLast(const std::vector<std::uint32_t>& steps, const Phase& phase,
                                               Cursor cursor);
};

BankPlan planBanks(const Trace& trace);

}  // namespace lanescope
